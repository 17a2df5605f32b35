"""Names of `mindspore.mindrecord` that mycel has for import only."""

NAMES = """\
[mindspore.mindrecord]
class Cifar100ToMR Cifar10ToMR CsvToMR ImageNetToMR MnistToMR TFRecordToMR
object EXCEPTIONS
from mindrecord.common.enums ErrorCodeType ErrorLevel LogRuntime
from mindrecord.common.exceptions DbConnectionError MRMAddIndexError MRMBuildSchemaError MRMCloseError MRMCommitError
    MRMDefineBlobError MRMDefineCategoryError MRMFetchCandidateFieldsError MRMFetchDataError MRMFinishError
    MRMGenerateIndexError MRMIndexGeneratorError MRMInitSegmentError MRMLaunchError MRMOpenForAppendError
    MRMReadCategoryInfoError MRMSetHeaderError MRMUnsupportedSchemaError MRMValidateDataError MRMWriteDatasetError
    ParamMissError PathNotExistsError UnknownError
from mindrecord.config set_dec_mode set_enc_key set_enc_mode
from mindrecord.mindpage MindPage
value SYS_ID 42
[mindspore.mindrecord.common]
[mindspore.mindrecord.common.constant]
value SYS_ID 42
[mindspore.mindrecord.common.enums]
class BaseEnum ErrorCodeType ErrorLevel LogRuntime
[mindspore.mindrecord.common.exceptions]
exception DbConnectionError MRMAddIndexError MRMAddSchemaError MRMBuildSchemaError MRMCloseError MRMCommitError
    MRMDefineBlobError MRMDefineCategoryError MRMDefineIndexError MRMFetchCandidateFieldsError MRMFetchDataError
    MRMFinishError MRMGenerateIndexError MRMGetMetaError MRMIndexGeneratorError MRMInitSegmentError
    MRMInvalidHeaderSizeError MRMInvalidPageSizeError MRMInvalidSchemaError MRMLaunchError MRMOpenError
    MRMOpenForAppendError MRMReadCategoryInfoError MRMSetHeaderError MRMUnsupportedSchemaError MRMValidateDataError
    MRMWriteDatasetError MindRecordException ParamMissError ParamTypeError ParamValueError PathNotExistsError
    UnknownError
object EXCEPTIONS
from mindrecord.common.enums ErrorCodeType ErrorLevel LogRuntime
value SYS_ID 42
[mindspore.mindrecord.config]
function cleanup_decrypt_files decrypt encrypt set_dec_mode set_enc_key set_enc_mode
object DECRYPT_DIRECTORY_LIST DECRYPT_FILE_LIST DECRYPT_STATE_LOCK DEC_MODE ENCRYPT_END_FLAG ENC_KEY HASH_MODE
value DECRYPT_DIRECTORY '.decrypt_mindrecord'
value DECRYPT_TIME 0
value ENCRYPT_BLOCK_LENGTH_BYTES 4
value ENCRYPT_MIN_BLOCK_REMAINING_BYTES 15
value ENCRYPT_MODE_LEN 7
value ENCRYPT_TIME 0
value ENCRYPT_TRAILER_LEN 11
value ENC_MODE 'AES-GCM'
value MIN_FILE_SIZE 8
value WARNING_INTERVAL 30
[mindspore.mindrecord.filereader]
class ShardHeader ShardReader
function check_parameter populate_data
from mindrecord.config cleanup_decrypt_files decrypt
[mindspore.mindrecord.filewriter]
class ShardHeader ShardIndexGenerator ShardReader ShardWriter
function check_filename
object VALUE_TYPE_MAP
from mindrecord.config decrypt encrypt
value MAX_SHARD_COUNT 1000
value MIN_SHARD_COUNT 1
value VALID_ARRAY_ATTRIBUTES ['int32', 'int64', 'float32', 'float64']
value VALID_ATTRIBUTES ['int32', 'int64', 'float32', 'float64', 'string', 'bytes']
[mindspore.mindrecord.mindpage]
class MindPage ShardSegment
function check_parameter
from mindrecord.common.exceptions MRMDefineCategoryError ParamTypeError ParamValueError
from mindrecord.config cleanup_decrypt_files decrypt
"""
