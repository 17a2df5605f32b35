"""The page in a real browser: it opens without errors, highlights the same value everywhere, searches, shows changes,
and is quick with ten thousand nodes."""

import dataclasses
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, make_node
from mycel.compiler.ir.values import Location, Value
from mycel.compiler.pipeline import PASSES
from mycel.frontend.compilation.stages import Stages

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip("needs chromium and chromedriver (apt-get install chromium chromium-driver)", allow_module_level=True)
webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium (pip install selenium)")
from selenium.common.exceptions import StaleElementReferenceException  # noqa: E402 after the skip
from selenium.webdriver.chrome.service import Service  # noqa: E402 after the skip
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1400,900",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # Its library would otherwise look for a driver on the network.
        os.environ["SE_OFFLINE"] = "true"
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        yield driver
        driver.quit()


class Net(nn.Cell):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(4, 8, activation="relu")
        self.second = nn.Dense(8, 3)

    def construct(self, x: Tensor) -> Tensor:
        hidden = self.first(x)
        return self.second(ms.ops.sin(hidden) + ms.ops.sin(hidden))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a training step, with its profile."""
    net = Net()
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    gradient = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)

    @ms.jit
    def step(x: Tensor) -> Tensor:
        loss, grads = gradient(x)
        optimizer(grads)
        return loss

    x = Tensor(np.ones((2, 4), np.float32))
    return step.stages(x).save(tmp_path_factory.mktemp("page") / "step.html", step.profile(x))


@pytest.fixture
def opened(browser: Any, page: Path) -> Iterator[Any]:
    """The browser with the page; there may be no error in its console afterwards."""
    browser.get("about:blank")
    browser.get(page.as_uri())
    yield browser
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []


def tab(browser: Any, name: str) -> None:
    browser.find_element(By.ID, f"tab-{name}").click()


def rows(browser: Any, selector: str) -> list[str]:
    """The texts of elements, read at once: lists are drawn anew when they scroll."""
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((row) => row.textContent)", selector
    )
    return found


def settled(browser: Any, act: Callable[[], object]) -> None:
    """Find elements and act on them, again if they were drawn anew meanwhile, as lists are when they scroll."""

    def done(_: Any) -> bool:
        act()
        return True

    WebDriverWait(browser, 10, ignored_exceptions=[StaleElementReferenceException]).until(done)


def row_with(browser: Any, selector: str, text: str) -> Any:
    """The first of the rows that has a text."""
    return next(row for row in browser.find_elements(By.CSS_SELECTOR, selector) if text in row.text)


def test_every_tab_opens(opened: Any) -> None:
    names = [each.text for each in opened.find_elements(By.CSS_SELECTOR, '[role="tab"]')]
    assert names == [
        "converted", "forward", "backward", "joint", "passes", "plan", "kernels", "program", "graph", "memory",
        "profile",
    ]  # fmt: skip
    for name in names:
        tab(opened, name)
        assert opened.find_element(By.CSS_SELECTOR, '[aria-selected="true"]').text == name
        assert opened.find_element(By.CSS_SELECTOR, '[role="tabpanel"]').size["height"] > 400


def test_pointing_at_a_value_highlights_it_and_its_source_line(opened: Any) -> None:
    tab(opened, "joint")
    settled(opened, lambda: point_at(
        opened, row_with(opened, ".stage .row", "= matmul(").find_element(By.CSS_SELECTOR, ".v.def")
    ))  # fmt: skip
    assert any("self.first(x)" in text for text in rows(opened, ".side .row.hit, .side .row.same"))
    assert "= matmul" in opened.find_element(By.TAG_NAME, "footer").text


def test_a_pinned_line_is_highlighted_in_every_stage(opened: Any) -> None:
    settled(opened, lambda: row_with(opened, ".side .row", "self.first(x)").click())
    for name in ("forward", "backward", "joint", "program", "kernels"):
        tab(opened, name)
        assert rows(opened, ".stage .row.hit, .stage .row.same"), name
    tab(opened, "graph")
    assert opened.find_elements(By.CSS_SELECTOR, ".box.on")
    tab(opened, "profile")
    assert opened.find_elements(By.CSS_SELECTOR, ".bar.on")
    assert opened.find_elements(By.CSS_SELECTOR, ".timeline rect.on")
    opened.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    tab(opened, "joint")
    assert not rows(opened, ".stage .row.hit")


def test_search_goes_from_match_to_match(opened: Any) -> None:
    tab(opened, "joint")
    opened.find_element(By.TAG_NAME, "body").send_keys("/")
    field = opened.find_element(By.ID, "search")
    field.send_keys("matmul")
    found = opened.find_element(By.ID, "found")
    first, total = found.text.split("/")
    assert first == "1"
    assert int(total) >= 4
    field.send_keys(Keys.ENTER)
    assert found.text == f"2/{total}"
    assert "matmul" in rows(opened, ".stage .row.here")[0]
    tab(opened, "graph")
    field.send_keys(Keys.ENTER)
    assert opened.find_elements(By.CSS_SELECTOR, ".box.on")


def test_passes_step_forth_and_back(opened: Any) -> None:
    tab(opened, "passes")
    opened.find_element(By.XPATH, '//button[text()="cse"]').click()
    assert "cse" in opened.find_element(By.ID, "pass").text
    assert "−3 removed" in opened.find_element(By.ID, "counts").text
    assert any("sin(" in text for text in rows(opened, ".row.minus"))
    body = opened.find_element(By.TAG_NAME, "body")
    body.send_keys("]")
    assert "simplify" in opened.find_element(By.ID, "pass").text
    body.send_keys("[")
    assert "cse" in opened.find_element(By.ID, "pass").text


def test_groups_open_by_mouse_and_keyboard(opened: Any) -> None:
    tab(opened, "graph")
    opened.find_element(By.XPATH, '//button[text()="collapse"]').click()
    groups = opened.find_elements(By.CSS_SELECTOR, ".box.shut")
    assert len(groups) == 3
    groups[0].click()
    assert len(opened.find_elements(By.CSS_SELECTOR, ".box")) > 3
    opened.find_element(By.CSS_SELECTOR, ".box.open").send_keys(Keys.ENTER)
    assert len(opened.find_elements(By.CSS_SELECTOR, ".box.shut")) == 3
    assert opened.find_elements(By.CSS_SELECTOR, ".wire.residual")


def test_memory_names_the_buffer_under_the_pointer(opened: Any) -> None:
    tab(opened, "memory")
    assert "peak" in opened.find_element(By.ID, "peak").text
    opened.find_element(By.TAG_NAME, "canvas").send_keys(Keys.ARROW_RIGHT)
    assert "statements" in opened.find_element(By.TAG_NAME, "footer").text


def test_the_profile_compares_nodes_with_the_peaks_of_the_machine(opened: Any) -> None:
    tab(opened, "profile")
    assert "GF/s in products" in opened.find_element(By.ID, "peaks").text
    shown = rows(opened, ".bar .num")
    assert any(text.endswith((" of memory", " of arithmetic", "in cache", "at peak")) for text in shown)


def test_the_graph_has_groups_of_cells(opened: Any) -> None:
    tab(opened, "graph")
    titles = {title.lstrip("▾▸ ").split(" · ")[0] for title in rows(opened, ".box text")}
    assert {"first", "second", "Net"} <= titles


def point_at(browser: Any, element: Any) -> None:
    ActionChains(browser).move_to_element(element).perform()


def point_at_one(browser: Any, selector: str, position: int) -> None:
    """Point at one of the elements; if there are fewer, at the first."""

    def point() -> None:
        found = browser.find_elements(By.CSS_SELECTOR, selector)
        point_at(browser, found[position % len(found)])

    settled(browser, point)


def test_pointing_in_a_tab_highlights_the_source(opened: Any) -> None:
    """At a buffer in the plan, a value in a kernel, one in the program, a box, and a bar."""
    places = [
        ("plan", ".stage .row .v"), ("kernels", ".stage .row .v"), ("program", ".stage .row .v"),
        ("backward", ".stage .row .v.def"), ("graph", ".box:not(.open)"), ("profile", ".bar"),
    ]  # fmt: skip
    for name, selector in places:
        tab(opened, name)
        drawn = partial(opened.find_elements, By.CSS_SELECTOR, selector)
        WebDriverWait(opened, 10).until(lambda _, drawn=drawn: drawn(), name)
        for position in range(12):
            point_at_one(opened, selector, position)
            if rows(opened, ".side .row.hit, .side .row.same"):
                break
        else:
            pytest.fail(f"nothing in {name} highlights the source")
        point_at(opened, opened.find_element(By.TAG_NAME, "h1"))
        WebDriverWait(opened, 10).until(lambda browser: not rows(browser, ".side .row.hit"), name)


def test_a_pinned_value_is_marked_wherever_it_is(opened: Any) -> None:
    """A name is one value in every stage."""
    tab(opened, "forward")
    settled(
        opened, lambda: row_with(opened, ".stage .row", "%hidden: ").find_element(By.CSS_SELECTOR, ".v.def").click()
    )
    for name in ("forward", "backward", "joint", "program"):
        tab(opened, name)
        assert {text.lstrip("%") for text in rows(opened, ".stage .v.on")} == {"hidden"}, name
    opened.find_element(By.TAG_NAME, "body").send_keys("n")
    assert rows(opened, ".stage .v.on")
    opened.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert not rows(opened, ".stage .v.on")


def test_keys_choose_tabs(opened: Any) -> None:
    body = opened.find_element(By.TAG_NAME, "body")

    def chosen() -> str:
        return str(opened.find_element(By.CSS_SELECTOR, '[aria-selected="true"]').text)

    for key, name in (("4", "joint"), ("1", "converted"), ("8", "program")):
        body.send_keys(key)
        assert chosen() == name
    opened.find_element(By.CSS_SELECTOR, '[aria-selected="true"]').send_keys(Keys.ARROW_RIGHT)
    assert chosen() == "graph"
    opened.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert chosen() == "program"


def test_the_help_names_the_keys(opened: Any) -> None:
    opened.find_element(By.XPATH, '//button[text()="?"]').click()
    assert "light or dark" in opened.find_element(By.TAG_NAME, "dialog").text
    opened.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not opened.find_element(By.TAG_NAME, "dialog").is_displayed()


@pytest.mark.parametrize("width", [1280, 1600])
def test_the_tabs_are_in_one_row(opened: Any, width: int) -> None:
    before = opened.get_window_size()
    opened.set_window_size(width, 900)
    tops = {each.location["y"] for each in opened.find_elements(By.CSS_SELECTOR, '[role="tab"]')}
    opened.set_window_size(before["width"], before["height"])
    assert len(tops) == 1


def test_every_tab_is_readable_in_dark(opened: Any) -> None:
    """Text and background differ by a contrast of 4.5 at least, as accessible pages should."""
    opened.find_element(By.TAG_NAME, "body").send_keys("t")
    if opened.execute_script("return document.documentElement.dataset.theme") != "dark":
        opened.find_element(By.TAG_NAME, "body").send_keys("t")
    script = """
        const part = (text) => text.match(/[0-9.]+/g).slice(0, 3).map((c) => {
            const s = c / 255; return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
        const light = (text) => { const [r, g, b] = part(text); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const back = light(getComputedStyle(document.body).backgroundColor);
        const row = [...document.querySelectorAll(".stage .row, .stage .bar, .stage .head, .box text")];
        return row.slice(0, 40).map((each) => {
            const style = getComputedStyle(each), ink = light(each.tagName === "text" ? style.fill : style.color);
            return (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05); });
    """
    for each in opened.find_elements(By.CSS_SELECTOR, '[role="tab"]'):
        each.click()
        contrasts = opened.execute_script(script)
        assert contrasts, each.text
        assert min(contrasts) >= 4.5, each.text


def test_phases_have_a_key_where_they_have_colours(opened: Any) -> None:
    for name in ("graph", "memory"):
        tab(opened, name)
        assert {"forward", "backward", "update"} <= set(rows(opened, ".stage .key"))


def test_light_and_dark(opened: Any) -> None:
    def background() -> str:
        return str(opened.execute_script("return getComputedStyle(document.body).backgroundColor"))

    before = background()
    opened.find_element(By.TAG_NAME, "body").send_keys("t")
    assert background() != before


def large_stages(layers: int) -> Stages:
    """Stages with graphs of four nodes for each layer; plan and program are those of a small function."""
    small = ms.jit(lambda x: x + 1).stages(Tensor(np.ones((4, 4), np.float32)))
    place = small.joint.nodes[0].location
    assert place is not None
    x = Value(small.joint.parameters[0].type, "x")
    every, kept, value, shorter = [], [], x, x  # the nodes, and those of a graph without tanh
    for layer in range(layers):
        for op in (ops.matmul, ops.add, ops.tanh, ops.multiply):
            inputs = [value] if op is ops.tanh else [value, x]
            node = make_node(op, inputs, location=Location(place.file, 1 + layer % 90), name=f"v{len(every)}")
            every.append(node)
            value = node.output
            if op is not ops.tanh:
                kept.append(node.with_inputs([shorter, x]))
                shorter = node.output
    joint = Graph("large", (x,), tuple(every), (value,))
    fewer = Graph("large", (x,), tuple(kept), (shorter,))
    passes = {name: joint for name, _ in PASSES[:18]} | {"dce": fewer}
    return dataclasses.replace(small, joint=joint, forward=joint, backward=None, passes=passes)


def test_ten_thousand_nodes_open_within_two_seconds(browser: Any, tmp_path: Path) -> None:
    path = large_stages(2500).save(tmp_path / "large.html")
    began = time.perf_counter()
    browser.get(path.as_uri())
    assert browser.execute_script("return document.documentElement.dataset.ready")
    assert time.perf_counter() - began < 2
    began = time.perf_counter()
    tab(browser, "graph")
    assert 3 <= len(browser.find_elements(By.CSS_SELECTOR, ".box")) < 200
    assert time.perf_counter() - began < 2
    field = browser.find_element(By.ID, "search")
    field.send_keys("tanh")
    assert int(browser.find_element(By.ID, "found").text.split("/")[1]) >= 2000
    tab(browser, "passes")
    assert f"−{2500} removed" in browser.find_element(By.ID, "counts").text
    assert len(browser.find_elements(By.CSS_SELECTOR, ".row")) < 300
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
