"""Names of `mindspore.dataset` that mycel has for import only."""

NAMES = """\
[+4]
function check_ag_news_dataset check_amazon_review_dataset check_cluedataset check_conll2000_dataset
    check_dbpedia_dataset check_en_wik9_dataset check_imdb_dataset check_iwslt2016_dataset check_iwslt2017_dataset
    check_multi30k_dataset check_penn_treebank_dataset check_sogou_news_dataset check_squad_dataset check_sst2_dataset
    check_textfiledataset check_udpos_dataset check_wiki_text_dataset check_yahoo_answers_dataset
    check_yelp_review_dataset
[+3]
function check_caltech101_dataset check_caltech256_dataset check_celebadataset check_cityscapes_dataset
    check_cocodataset check_div2k_dataset check_emnist_dataset check_fake_image_dataset check_flickr_dataset
    check_flowers102dataset check_food101_dataset check_imagefolderdataset check_kittidataset check_lfw_dataset
    check_lsun_dataset check_manifestdataset check_mnist_cifar_dataset check_omniglotdataset check_photo_tour_dataset
    check_places365_dataset check_qmnist_dataset check_random_dataset check_rendered_sst2_dataset check_sb_dataset
    check_sbu_dataset check_semeion_dataset check_stl10_dataset check_sun397_dataset check_svhn_dataset
    check_usps_dataset check_vocdataset check_wider_face_dataset
[+2]
function check_add_column check_batch check_bucket_batch_by_length check_concat check_device_send check_dict_iterator
    check_filter check_map check_output_shape check_padded_batch check_project check_recv check_rename check_repeat
    check_save check_schema check_send check_shuffle check_skip check_split check_sync_update check_sync_wait
    check_take check_to_device_send check_total_batch check_tuple_iterator check_zip check_zip_dataset
value MAX_METADATA_LENGTH 2048
object DE_C_INTER_SENTENCEPIECE_MODE ITERATORS_LIST OffloadToManualOffloadMode int_to_mstype mstype_to_int
from dataset.core.validator_helpers replace_none
from dataset.engine.iterators DictIterator DummyIterator TupleIterator check_iterator_cleanup
from dataset.core.datatypes mstype_to_detype
from dataset.transforms.py_transforms_util FuncWrapper Implementation
from dataset.engine.offload GetOffloadModel
from dataset.core.py_util_helpers ExceptionHandler
from mindrecord.config encrypt
from dataset.text.utils SentencePieceModel
[+1]
like +2
function sync_wait_for_dataset
object ShuffleToShuffleMode
from dataset.engine.datasets_vision Caltech101Dataset Caltech256Dataset CelebADataset CityscapesDataset CocoDataset
    DIV2KDataset EMnistDataset FakeImageDataset FlickrDataset Flowers102Dataset Food101Dataset KITTIDataset
    KMnistDataset LFWDataset LSUNDataset ManifestDataset OmniglotDataset PhotoTourDataset Places365Dataset
    QMnistDataset RandomDataset RenderedSST2Dataset SBDataset SBUDataset STL10Dataset SUN397Dataset SVHNDataset
    SemeionDataset USPSDataset VOCDataset WIDERFaceDataset
from dataset.engine.datasets AudioBaseDataset BatchInfo BlockReleasePair BucketBatchByLengthDataset DeserializedDataset
    FilterDataset PaddedBatchDataset ProjectDataset RenameDataset ShuffleDataset SkipDataset SourceDataset
    SyncWaitDataset TakeDataset TextBaseDataset TransferDataset UnionBaseDataset VisionBaseDataset WorkerTarget
    close_worker flatten_single_lists to_list worker_is_alive
from dataset.engine.datasets_text AGNewsDataset AmazonReviewDataset CLUEDataset CoNLL2000Dataset DBpediaDataset
    EnWik9Dataset IMDBDataset IWSLT2016Dataset IWSLT2017Dataset Multi30kDataset PennTreebankDataset SQuADDataset
    SST2Dataset SogouNewsDataset UDPOSDataset WikiTextDataset YahooAnswersDataset YelpReviewDataset
from dataset.engine.datasets_audio CMUArcticDataset GTZANDataset LJSpeechDataset LibriTTSDataset SpeechCommandsDataset
    TedliumDataset YesNoDataset
from dataset.engine.samplers BuiltinSampler select_sampler shuffle_to_shuffle_mode
from dataset.engine.datasets_standard_format OBSMindDataset
[mindspore.dataset]
like +1
from dataset.utils.line_reader LineReader
[mindspore.dataset.audio]
object absolute_import
[mindspore.dataset.audio.transforms]
function check_allpass_biquad check_amplitude_to_db check_band_biquad check_bandpass_biquad check_bandreject_biquad
    check_bass_biquad check_biquad check_complex_norm check_compute_deltas check_contrast check_db_to_amplitude
    check_dc_shift check_deemph_biquad check_detect_pitch_frequency check_dither check_equalizer_biquad check_fade
    check_flanger check_gain check_griffin_lim check_highpass_biquad check_inverse_mel_scale check_inverse_spectrogram
    check_lfcc check_lfilter check_lowpass_biquad check_magphase check_mask_along_axis check_mask_along_axis_iid
    check_masking check_mel_scale check_mel_spectrogram check_mfcc check_mu_law_coding check_overdrive
    check_phase_vocoder check_phaser check_pitch_shift check_resample check_riaa_biquad check_sliding_window_cmn
    check_spectral_centroid check_spectrogram check_time_stretch check_treble_biquad check_vad check_vol
class AudioTensorOperation
object DE_C_BORDER_TYPE DE_C_DENSITY_FUNCTION DE_C_FADE_SHAPE DE_C_GAIN_TYPE DE_C_INTERPOLATION DE_C_MEL_TYPE
    DE_C_MODULATION DE_C_NORM_MODE DE_C_NORM_TYPE DE_C_RESAMPLE_METHOD DE_C_SCALE_TYPE DE_C_WINDOW_TYPE
from dataset.transforms.transforms TensorOperation
from dataset.transforms.py_transforms_util Implementation
[mindspore.dataset.audio.utils]
object DE_C_MEL_TYPE DE_C_NORM_MODE DE_C_NORM_TYPE absolute_import
from dataset.core.validator_helpers check_non_negative_float32 check_non_negative_int32 check_pos_float32
    check_pos_int32 type_check
[mindspore.dataset.callback]
object absolute_import
[mindspore.dataset.callback.ds_callback]
function check_callback
class PyDSCallback
object absolute_import
[mindspore.dataset.core.config]
value INT32_MAX 2147483647
value UINT32_MAX 4294967295
function get_iterator_mode set_iterator_mode
object absolute_import
from dataset.core.validator_helpers check_independent_mode check_valid_str replace_none type_check
[mindspore.dataset.core.datatypes]
function mstype_to_detype mstypelist_to_detypelist nptype_to_detype
object absolute_import
[mindspore.dataset.core.py_util_helpers]
class ExceptionHandler KeyErrorParse
function is_numpy
object absolute_import
[mindspore.dataset.core.validator_helpers]
value UINT32_MAX 4294967295
function check_2tuple check_columns check_dataset_num_shards_shard_id check_dict check_dir check_feature_shape
    check_file check_filename check_float32 check_float32_not_zero check_float64 check_independent_mode check_int32
    check_int32_not_zero check_list_same_size check_non_negative_float32 check_non_negative_float64
    check_non_negative_int32 check_num_parallel_workers check_num_samples check_odd check_padding_options
    check_pos_float32 check_pos_float64 check_pos_int32 check_pos_int64 check_pos_uint32 check_positive check_range
    check_sampler_shuffle_shard_options check_tensor_op check_uint32 check_uint64 check_uint8 check_valid_detype
    check_valid_list_tuple check_valid_str check_value check_value_cutoff check_value_normalize_std check_value_ratio
    is_iterable pad_arg_name parse_user_args replace_none type_check type_check_list validate_dataset_param_value
value INT32_MIN -2147483648
value DOUBLE_MAX_INTEGER 9007199254740992
value INT32_MAX 2147483647
value UINT64_MAX 18446744073709551615
value FLOAT_MAX_INTEGER 16777216
value INT64_MIN -9223372036854775808
value UINT64_MIN 0
value INT64_MAX 9223372036854775807
value UINT8_MAX 255
value DOUBLE_MIN_INTEGER -9007199254740992
value UINT8_MIN 0
value POS_INT_MIN 1
value FLOAT_MIN_INTEGER -16777216
value UINT32_MIN 0
object absolute_import valid_detype
[mindspore.dataset.dataloader]
from dataset.dataloader.sampler BatchSampler RandomSampler Sampler SequentialSampler
from dataset.dataloader._utils.collate default_collate default_convert
from dataset.dataloader._utils.worker get_worker_info
from dataset.dataloader.dataset Dataset IterableDataset TensorDataset
from dataset.dataloader.distributed DistributedSampler
from dataset.dataloader.dataloader DataLoader
[mindspore.dataset.dataloader._utils]
function check_args check_exclusive_args check_non_negative check_positive check_type
value WORKER_TIME_OUT 5
[mindspore.dataset.dataloader._utils.bit_generator]
value MASK32 4294967295
value MULT_A 2468251765
value MULT_B 1492356589
value MIX_MULT_L 3389127133
function generate_state hashmix mix mix_entropy seed_sequence
value INIT_B 2337405405
value XSHIFT 16
value DEFAULT_POOL_SIZE 4
value MIX_MULT_R 1232336661
value INIT_A 1135663077
[mindspore.dataset.dataloader._utils.collate]
function collate collate_float_fn collate_int_fn collate_mapping_fn collate_namedtuple_fn collate_numpy_array_fn
    collate_numpy_scalar_fn collate_sequence_fn collate_str_fn collate_tensor_fn convert_mapping convert_namedtuple
    convert_numpy_array convert_numpy_scalar convert_sequence convert_tensor convert_tuple default_collate
    default_convert
object default_collate_fn_map float64 np_str_obj_array_pattern
[mindspore.dataset.dataloader._utils.fetch]
class Fetcher IterableDatasetFetcher MapDatasetFetcher
from dataset.dataloader._utils.collate default_collate default_convert
[mindspore.dataset.dataloader._utils.pin_memory]
value WORKER_TIME_OUT 5
function pin_memory_fn pin_worker_fn
from dataset.dataloader._utils.worker WorkerException
[mindspore.dataset.dataloader._utils.signal_handling]
function set_sigchld_handler
[mindspore.dataset.dataloader._utils.worker]
class KeyErrorMsg ParentProcessMonitor ResumeIterationFlag WorkerException WorkerInfo
function data_worker_fn get_worker_info
value WORKER_TIME_OUT 5
object WORKER_INFO_LOCAL
from dataset.dataloader._utils.bit_generator seed_sequence
[mindspore.dataset.dataloader.dataloader]
enum DatasetType {'MapDataset': 'MapDataset', 'IterableDataset': 'IterableDataset'}
class DataLoader FetcherFactory
value WORKER_TIME_OUT 5
object AnyStr
from dataset.dataloader._utils check_args check_exclusive_args check_non_negative check_positive check_type
from dataset.dataloader.sampler BatchSampler InfiniteSampler RandomSampler Sampler SequentialSampler
from dataset.dataloader._utils.fetch IterableDatasetFetcher MapDatasetFetcher
from dataset.dataloader._utils.worker ResumeIterationFlag WorkerException data_worker_fn
from dataset.dataloader.dataset Dataset IterableDataset
from dataset.dataloader._utils.pin_memory pin_memory_fn pin_worker_fn
from dataset.dataloader._utils.signal_handling set_sigchld_handler
[mindspore.dataset.dataloader.dataset]
class Dataset IterableDataset TensorDataset
[mindspore.dataset.dataloader.distributed]
class DistributedSampler
from dataset.dataloader.dataset Dataset
from dataset.dataloader.sampler Sampler
[mindspore.dataset.dataloader.sampler]
class BatchSampler InfiniteSampler RandomSampler Sampler SequentialSampler
from dataset.dataloader._utils check_positive check_type
[mindspore.dataset.engine]
like +1
like +3
like +4
function check_cmu_arctic_dataset check_csvdataset check_generator_dataset check_gtzan_dataset check_libri_tts_dataset
    check_lj_speech_dataset check_minddataset check_numpy_slices_dataset check_obsminddataset check_padded_dataset
    check_speech_commands_dataset check_tedlium_dataset check_tfrecorddataset check_yes_no_dataset create_obs_config
    detect_all_meta_files get_bucket_and_key init_cache_and_queue make_dataset_tuple make_sampler make_shard_files
    make_shard_samples
class MindRecordFromOBS OBSRuntime
object np_types
from mindrecord.config cleanup_decrypt_files decrypt
from dataset.engine.datasets_user_defined SamplerFn
from dataset.core.validator_helpers type_check
from dataset.core.datatypes mstypelist_to_detypelist
[mindspore.dataset.engine.cache_client]
class CacheClient
from dataset.core.validator_helpers check_pos_int32 check_pos_uint32 check_positive check_uint64 check_value type_check
[mindspore.dataset.engine.datasets]
like +2
class AudioBaseDataset BatchInfo BlockReleasePair BucketBatchByLengthDataset DeserializedDataset FilterDataset
    PaddedBatchDataset ProjectDataset RenameDataset ShuffleDataset SkipDataset SourceDataset SyncWaitDataset
    TakeDataset TextBaseDataset TransferDataset UnionBaseDataset VisionBaseDataset WorkerTarget
function close_worker flatten_single_lists to_list worker_is_alive
[mindspore.dataset.engine.datasets_audio]
class CMUArcticDataset GTZANDataset LJSpeechDataset LibriTTSDataset SpeechCommandsDataset TedliumDataset YesNoDataset
function check_cmu_arctic_dataset check_gtzan_dataset check_libri_tts_dataset check_lj_speech_dataset
    check_speech_commands_dataset check_tedlium_dataset check_yes_no_dataset
from dataset.core.validator_helpers replace_none
from dataset.engine.datasets AudioBaseDataset
[mindspore.dataset.engine.datasets_standard_format]
function check_csvdataset check_minddataset check_obsminddataset check_tfrecorddataset create_obs_config
class MindRecordFromOBS OBSMindDataset
from mindrecord.config cleanup_decrypt_files decrypt
from dataset.core.validator_helpers replace_none type_check
from dataset.engine.samplers shuffle_to_shuffle_mode
from dataset.engine.datasets SourceDataset UnionBaseDataset
[mindspore.dataset.engine.datasets_text]
like +4
class AGNewsDataset AmazonReviewDataset CLUEDataset CoNLL2000Dataset DBpediaDataset EnWik9Dataset IMDBDataset
    IWSLT2016Dataset IWSLT2017Dataset Multi30kDataset PennTreebankDataset SQuADDataset SST2Dataset SogouNewsDataset
    UDPOSDataset WikiTextDataset YahooAnswersDataset YelpReviewDataset
from dataset.core.validator_helpers replace_none
from dataset.engine.datasets SourceDataset TextBaseDataset
[mindspore.dataset.engine.datasets_user_defined]
function check_generator_dataset check_numpy_slices_dataset check_padded_dataset
class SamplerFn
from dataset.core.validator_helpers type_check
from dataset.core.py_util_helpers ExceptionHandler
from dataset.engine.datasets UnionBaseDataset to_list
from dataset.core.datatypes mstypelist_to_detypelist
[mindspore.dataset.engine.datasets_vision]
like +3
class Caltech101Dataset Caltech256Dataset CelebADataset CityscapesDataset CocoDataset DIV2KDataset EMnistDataset
    FakeImageDataset FlickrDataset Flowers102Dataset Food101Dataset KITTIDataset KMnistDataset LFWDataset LSUNDataset
    ManifestDataset OmniglotDataset PhotoTourDataset Places365Dataset QMnistDataset RandomDataset RenderedSST2Dataset
    SBDataset SBUDataset STL10Dataset SUN397Dataset SVHNDataset SemeionDataset USPSDataset VOCDataset WIDERFaceDataset
from dataset.engine.datasets SourceDataset VisionBaseDataset
from dataset.core.validator_helpers replace_none
[mindspore.dataset.engine.iterators]
class DictIterator DummyIterator TupleIterator
function check_iterator_cleanup
object ITERATORS_LIST np_types
from dataset.core.py_util_helpers ExceptionHandler
[mindspore.dataset.engine.offload]
cell ApplyPreTransform GenerateRandBatch GetModelFromJson2Col GetOffloadModel HwcToChw IdentityCell Normalize
    RandomColorAdjust RandomHorizontalFlip RandomSharpness RandomVerticalFlip Rescale TypeCast
function apply_offload_iterators assign_min_max_params check_add_offload_sink_mode check_concat_zip_dataset
    get_col_idxs
class OffloadModel
instance check_input_dims
object op_to_model
[mindspore.dataset.engine.queue]
function get_total_size
from dataset.core.py_util_helpers ExceptionHandler
[mindspore.dataset.engine.samplers]
class BuiltinSampler
function select_sampler shuffle_to_shuffle_mode
object ShuffleToShuffleMode
[mindspore.dataset.engine.serializer_deserializer]
function expand_path
[mindspore.dataset.text]
from dataset.text.utils CharNGram FastText GloVe JiebaMode SPieceTokenizerLoadType SPieceTokenizerOutType
    SentencePieceModel SentencePieceVocab Vectors
from dataset.text.transforms FilterWikipediaXML JiebaTokenizer SentencePieceTokenizer ToVectors UnicodeScriptTokenizer
[mindspore.dataset.text.transforms]
function check_add_token check_basic_tokenizer check_bert_tokenizer check_jieba_add_dict check_jieba_add_word
    check_jieba_init check_lookup check_ngram check_pair_truncate check_python_tokenizer check_regex_replace
    check_regex_tokenizer check_sentence_piece_tokenizer check_slidingwindow check_to_number check_to_vectors
    check_truncate check_unicode_script_tokenizer check_with_offsets check_wordpiece_tokenizer invalidate_callable
class FilterWikipediaXML JiebaTokenizer SentencePieceTokenizer TextTensorOperation ToVectors UnicodeScriptTokenizer
object DE_C_INTER_JIEBA_MODE DE_C_INTER_NORMALIZE_FORM DE_C_INTER_SENTENCEPIECE_LOADTYPE
    DE_C_INTER_SENTENCEPIECE_OUTTYPE
from dataset.core.validator_helpers replace_none
from dataset.text.utils JiebaMode SPieceTokenizerLoadType SPieceTokenizerOutType SentencePieceVocab
from dataset.core.datatypes mstype_to_detype
from dataset.transforms.transforms TensorOperation
from dataset.transforms.py_transforms_util Implementation
[mindspore.dataset.text.utils]
function check_from_dataset check_from_dataset_sentencepiece check_from_dict check_from_file
    check_from_file_sentencepiece check_from_file_vectors check_from_list check_ids_to_tokens check_save_model
    check_tokens_to_ids check_vocab
class CharNGram FastText GloVe SentencePieceVocab Vectors
enum SentencePieceModel {'UNIGRAM': 0, 'BPE': 1, 'CHAR': 2, 'WORD': 3}
enum SPieceTokenizerOutType {'STRING': 0, 'INT': 1}
enum JiebaMode {'MIX': 0, 'MP': 1, 'HMM': 2}
enum SPieceTokenizerLoadType {'FILE': 0, 'MODEL': 1}
object DE_C_INTER_SENTENCEPIECE_MODE
[mindspore.dataset.transforms]
from dataset.transforms.transforms Plugin
[mindspore.dataset.transforms.py_transforms_util]
function all_numpy compose one_hot_encoding random_apply random_choice random_order
class FuncWrapper
enum Implementation {'C': 0, 'PY': 1}
from dataset.core.py_util_helpers ExceptionHandler is_numpy
[mindspore.dataset.transforms.transforms]
function check_compose_call check_concat_type check_fill_value check_mask_op_new check_one_hot_op check_pad_end
    check_plugin check_random_transform_ops check_slice_op check_slice_option check_type_cast clean_unused_executors
class Plugin TensorOperation
object DE_C_RELATIONAL EXECUTORS_LIST
from dataset.core.datatypes mstype_to_detype nptype_to_detype
from dataset.transforms.py_transforms_util FuncWrapper Implementation
[mindspore.dataset.utils]
from dataset.utils.browse_dataset imshow_det_bbox
from dataset.utils.line_reader LineReader
[mindspore.dataset.utils.browse_dataset]
function imshow_det_bbox
[mindspore.dataset.utils.line_reader]
class LineReader
from dataset.core.validator_helpers check_filename check_uint64 check_value
[mindspore.dataset.vision]
from dataset.vision.utils VideoDecoder read_video read_video_timestamps
from dataset.vision.transforms DecodeVideo
[mindspore.dataset.vision.py_transforms_util]
function adjust_gamma auto_contrast decode equalize erase five_crop get_erase_params get_perspective_params hsv_to_rgb
    hsv_to_rgbs linear_transform mix_up_muti mix_up_single perspective random_affine random_color random_color_adjust
    random_crop random_horizontal_flip random_lighting random_resize_crop random_rotation random_sharpness
    random_vertical_flip rgb_to_bgr rgb_to_bgrs rgb_to_hsv rgb_to_hsvs rotate ten_crop uniform_augment
object AFFINE FLIP_LEFT_RIGHT FLIP_TOP_BOTTOM PERSPECTIVE
[mindspore.dataset.vision.transforms]
function check_adjust_brightness check_adjust_contrast check_adjust_gamma check_adjust_hue check_adjust_saturation
    check_adjust_sharpness check_affine check_alpha check_auto_augment check_auto_contrast
    check_bounding_box_augment_cpp check_center_crop check_convert_color check_crop check_cut_mix_batch_c
    check_cutout_new check_decode check_device_target check_erase check_five_crop check_gaussian_blur check_hsv_to_rgb
    check_linear_transform check_mix_up check_mix_up_batch_c check_normalize check_normalizepad check_num_channels
    check_pad check_pad_to_size check_perspective check_positive_degrees check_posterize check_prob check_rand_augment
    check_random_adjust_sharpness check_random_affine check_random_auto_contrast check_random_color_adjust
    check_random_crop check_random_erasing check_random_perspective check_random_posterize check_random_resize_crop
    check_random_rotation check_random_select_subpolicy_op check_random_solarize check_rescale check_resize
    check_resize_interpolation check_resized_crop check_rgb_to_hsv check_rotate check_slice_patches check_solarize
    check_ten_crop check_to_tensor check_trivial_augment_wide check_uniform_augment
value FLOAT_MAX_INTEGER 16777216
class DecodeVideo ImageTensorOperation VideoTensorOperation
from dataset.core.validator_helpers check_range
from dataset.core.datatypes mstype_to_detype nptype_to_detype
from dataset.transforms.py_transforms_util Implementation
from dataset.vision.utils parse_padding
[mindspore.dataset.vision.utils]
function parse_padding read_video read_video_timestamps
class DecodeParams VideoDecoder VideoFrameDvpp
object AFFINE ANTIALIAS CUBIC FLIP_LEFT_RIGHT FLIP_TOP_BOTTOM LINEAR NEAREST PERSPECTIVE
from dataset.core.validator_helpers check_file check_value type_check type_check_list
"""
