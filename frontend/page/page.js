"use strict";
(() => {
const D = JSON.parse(document.getElementById("data").textContent);
const HEIGHT = 18, MARGIN = 12, CONTEXT = 3, EAGER_BOXES = 28;
const make = (tag, name, text, parent) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
};
const button = (text, title, act, parent) => {
  const element = make("button", "", text, parent);
  element.type = "button";
  element.title = title;
  element.addEventListener("click", act);
  return element;
};
const bytes = (n) => n < 1024 ? `${n} B` : n < 1048576 ? `${(n / 1024).toFixed(1)} KB` : `${(n / 1048576).toFixed(1)} MB`;
const baseName = (file) => file.replace(/\\/g, "/").split("/").pop();
const placeText = (p) => p < 0 ? "" : `${baseName(D.places[p][0])}:${D.places[p][1]}`;

// What is known of a value or a place, from all stages.
const valuesAt = D.places.map(() => []);
D.values.forEach(([, , place], value) => { if (place >= 0) valuesAt[place].push(value); });
const placeOf = new Map(D.places.map(([file, line], place) => [`${file}\n${line}`, place]));
const phaseOf = new Map();
D.graph.nodes.forEach(([, values, , , phase]) => values.forEach((value) => phaseOf.set(value, phase)));
const bufferOf = new Map(D.memory.buffers.map((buffer) => [buffer[1], buffer]));

// The focus: values and places that are highlighted everywhere. It follows the pointer until it is pinned.
const focus = { values: new Set(), places: new Set(), pinned: false };
const listeners = [];
const setFocus = (values, places, pin = false) => {
  if (focus.pinned && !pin) return;
  focus.values = new Set(values);
  focus.places = new Set([...places].filter((place) => place >= 0));
  focus.pinned = pin && (focus.values.size > 0 || focus.places.size > 0);
  listeners.forEach((listen) => listen());
  describeFocus();
  if (focus.pinned) views.forEach((view) => view.reveal());
};
const clearFocus = (force) => {
  if (force) focus.pinned = false;
  if (!focus.pinned) setFocus([], []);
};
const focusValue = (value, pin) => setFocus([value], [D.values[value][2]], pin);
const focusPlace = (place, pin) => setFocus(place < 0 ? [] : valuesAt[place], [place], pin);

// A list of lines of which only those in sight are elements.
const views = [];
class View {
  constructor(parent, label) {
    this.host = make("div", "view", undefined, parent);
    this.host.tabIndex = 0;
    this.host.setAttribute("role", "region");
    this.host.setAttribute("aria-label", label);
    this.inner = make("div", "rows", undefined, this.host);
    this.rows = [];
    this.found = [];
    this.at = -1;
    this.host.addEventListener("scroll", () => this.draw(false));
    this.host.addEventListener("mouseover", (event) => this.point(event, false));
    this.host.addEventListener("mouseleave", () => clearFocus(false));
    this.host.addEventListener("click", (event) => this.point(event, true));
    new ResizeObserver(() => this.draw(true)).observe(this.host);
    listeners.push(() => this.mark());
    views.push(this);
  }
  // rows: [line, number shown, sign, class]; a line is [text, place, spans, defines]
  show(rows) {
    this.rows = rows;
    this.found = [];
    this.at = -1;
    let widest = 0;
    for (const row of rows) widest = Math.max(widest, row[0][0].length);
    this.inner.style.height = `${rows.length * HEIGHT + 8}px`;
    this.inner.style.width = `${widest + 12}ch`;
    this.host.scrollTop = this.host.scrollLeft = 0;
    this.draw(true);
  }
  draw(anew) {
    const first = Math.max(0, Math.floor(this.host.scrollTop / HEIGHT) - 8);
    const last = Math.min(this.rows.length, Math.ceil((this.host.scrollTop + this.host.clientHeight) / HEIGHT) + 8);
    if (!anew && first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    const elements = [];
    for (let i = first; i < last; i++) elements.push(this.element(i));
    this.inner.replaceChildren(...elements);
    this.mark();
  }
  element(i) {
    const [[text, place = -1, spans = [], defines = 0], number, sign, kind] = this.rows[i];
    const row = make("div", `row ${kind || ""}`);
    row.style.top = `${i * HEIGHT}px`;
    row.dataset.i = i;
    row.dataset.place = place;
    make("span", "no", number, row);
    if (sign !== undefined) make("span", "sign", sign, row);
    let at = 0;
    for (let s = 0; s < spans.length; s += 3) {
      const [start, length, value] = spans.slice(s, s + 3);
      if (!length || start < at) continue;
      row.append(text.slice(at, start));
      const token = make("span", s / 3 < defines ? "v def" : "v", text.slice(start, start + length), row);
      token.dataset.v = value;
      at = start + length;
    }
    const rest = text.slice(at), note = rest.search(/ {2}# /);
    row.append(note < 0 ? rest : rest.slice(0, note));
    if (note >= 0) make("span", "note", rest.slice(note), row);
    return row;
  }
  point(event, pin) {
    if (pin && String(getSelection())) return;
    const token = event.target.closest(".v"), row = event.target.closest(".row");
    if (token) focusValue(+token.dataset.v, pin);
    else if (row) {
      const [, place = -1, spans = [], defines = 0] = this.rows[row.dataset.i][0];
      const defined = [];
      for (let s = 0; s < defines; s++) defined.push(spans[3 * s + 2]);
      if (defined.length) setFocus(defined, [place], pin);
      else if (place >= 0) focusPlace(place, pin);
      else if (pin) clearFocus(true); else clearFocus(false);
    } else if (pin) clearFocus(true);
  }
  hits(i) {
    const [, place = -1, spans = [], defines = 0] = this.rows[i][0];
    if (!defines && !spans.length) return focus.places.has(place);
    for (let s = 0; s < Math.max(defines, defines ? 0 : spans.length / 3); s++)
      if (focus.values.has(spans[3 * s + 2])) return true;
    return false;
  }
  mark() {
    const found = new Set(this.found);
    for (const row of this.inner.children) {
      const i = +row.dataset.i, hit = this.hits(i);
      row.classList.toggle("hit", hit);
      row.classList.toggle("same", !hit && focus.places.has(+row.dataset.place));
      row.classList.toggle("found", found.has(i));
      row.classList.toggle("here", this.found[this.at] === i);
      for (const token of row.querySelectorAll(".v")) token.classList.toggle("on", focus.values.has(+token.dataset.v));
    }
  }
  reveal() {
    const here = (i) => this.hits(i) || focus.places.has(this.rows[i][0][1] ?? -1);
    let target = -1;
    for (let i = 0; i < this.rows.length; i++) {
      if (this.hits(i)) { target = i; break; }
      if (target < 0 && here(i)) target = i;
    }
    if (target >= 0) this.scrollTo(target);
  }
  scrollTo(i) {
    const top = i * HEIGHT, height = this.host.clientHeight;
    if (top < this.host.scrollTop || top + HEIGHT > this.host.scrollTop + height)
      this.host.scrollTop = Math.max(0, top - height / 3);
    this.draw(false);
  }
  search(words) {
    this.found = [];
    this.at = -1;
    if (words) this.rows.forEach((row, i) => { if (row[0][0].toLowerCase().includes(words)) this.found.push(i); });
    this.next(1);
    return this.found.length;
  }
  next(step) {
    if (this.found.length) {
      this.at = (this.at + step + this.found.length) % this.found.length;
      this.scrollTo(this.found[this.at]);
    }
    this.mark();
    return this.at;
  }
}

// The frame of the page.
const header = make("header", "", undefined, document.body);
make("h1", "", `${D.name}`, header);
make("span", "dim", `${D.graph.nodes.length} nodes · arena ${bytes(D.memory.nbytes)}`, header);
make("span", "space", "", header);
const search = make("input", "", undefined, header);
search.id = "search";
search.type = "search";
search.placeholder = "Search  ( / )";
search.setAttribute("aria-label", "Search this tab");
const counter = make("span", "dim", "", header);
counter.id = "found";
counter.setAttribute("aria-live", "polite");
button("◐", "Light or dark (t)", () => switchTheme(), header).setAttribute("aria-label", "Light or dark");
button("?", "Keys (?)", () => help.showModal(), header);
const main = make("main", "", undefined, document.body);
const side = make("section", "side", undefined, main);
const grip = make("div", "grip", undefined, main);
const stage = make("section", "stage", undefined, main);
const tabs = make("div", "tabs", undefined, stage);
tabs.setAttribute("role", "tablist");
const body = make("div", "body", undefined, stage);
body.setAttribute("role", "tabpanel");
const footer = make("footer", "", undefined, document.body);
footer.setAttribute("aria-live", "polite");
make("div", "head", "Source", side).id = "sourcehead";
const source = new View(side, "Source");
source.show(D.files.flatMap(({ file, name, parts }) => [
  [[name], "", undefined, "title"],
  ...parts.flatMap(({ first, lines }, part) => [
    ...(part ? [[["⋮"], "", undefined, "title"]] : []),
    ...lines.map((text, i) => [[text, placeOf.get(`${file}\n${first + i}`) ?? -1], first + i]),
  ]),
]));

const describeFocus = () => {
  const values = [...focus.values];
  const pinned = focus.pinned ? "  · pinned, Esc to let go" : "";
  if (!values.length) {
    const [place] = focus.places;
    footer.textContent = place === undefined ? "Point at a value, line, box or buffer; click to pin it." : placeText(place) + pinned;
    return;
  }
  const [name, type, place, op] = D.values[values[0]];
  const buffer = bufferOf.get(values[0]);
  const more = values.length > 1 ? ` and ${values.length - 1} more` : "";
  footer.textContent = [
    `${name || "value"}: ${type}${op ? ` = ${op}` : ""}${more}`, placeText(place),
    buffer ? `${bytes(buffer[2])} at ${buffer[3]}, statements ${buffer[4]}–${buffer[5]}` : "",
  ].filter(Boolean).join("  ·  ") + pinned;
};

// Stages: lines of a pass are those of the stage before it, changed.
const passes = D.stages.filter((one) => one.edits);
const linesOf = (one) => {
  if (one.lines) return one.lines;
  const before = one === passes[0] ? D.base : linesOf(D.stages[D.stages.indexOf(one) - 1]);
  const lines = [];
  one.diff = [];
  let at = 0;
  for (const [kept, removed, added] of one.edits) {
    for (const end = at + kept; at < end; at++) { lines.push(before[at]); one.diff.push([before[at], " "]); }
    for (const end = at + removed; at < end; at++) one.diff.push([before[at], "−"]);
    for (const line of added) { lines.push(line); one.diff.push([line, "+"]); }
  }
  for (; at < before.length; at++) { lines.push(before[at]); one.diff.push([before[at], " "]); }
  const gone = new Set();
  for (const [line, sign] of one.diff) if (sign === "−" && D.lines[line][3]) gone.add(D.lines[line][2][2]);
  for (const entry of one.diff) if (entry[1] === "+" && D.lines[entry[0]][3] && gone.has(D.lines[entry[0]][2][2])) entry[1] = "~";
  return (one.lines = lines);
};
const textTab = (one) => {
  const view = new View(make("div", "body"), one.name);
  view.show(linesOf(one).map((line, i) => [D.lines[line], i + 1]));
  return { element: view.host.parentElement, view };
};
const KIND = { "+": "plus", "−": "minus", "~": "tilde", " ": "" };
const passTab = () => {
  const element = make("div", "body"), head = make("div", "head", undefined, element);
  const back = button("◀", "Pass before  ( [ )", () => go(at - 1), head);
  const forth = button("▶", "Next pass  ( ] )", () => go(at + 1), head);
  const title = make("strong", "", "", head), counts = make("span", "", "", head), why = make("span", "dim", "", head);
  counts.id = "counts";
  title.id = "pass";
  const label = make("label", "", "", head), only = make("input", "", undefined, label);
  only.type = "checkbox";
  only.checked = true;
  label.append(" changes alone");
  const chips = make("div", "chips", undefined, head);
  const marks = passes.map((one, i) => {
    const [removed, added, replaced] = one.counts;
    const chip = button(one.name, `−${removed} +${added} ~${replaced}`, () => go(i), chips);
    if (one.edits.every(([, gone, added]) => !gone && !added.length)) chip.classList.add("none");
    return chip;
  });
  const view = new View(element, "Pass");
  let at = Math.max(0, marks.findIndex((chip) => !chip.classList.contains("none")));
  const go = (i) => {
    if (i < 0 || i >= passes.length) return;
    at = i;
    const one = passes[i], [removed, added, replaced] = one.counts;
    linesOf(one);
    title.textContent = `${i + 1}/${passes.length} ${one.name}`;
    counts.textContent = `−${removed} removed  +${added} added  ~${replaced} replaced  ·  ${one.nodes[0]} → ${one.nodes[1]} nodes` +
      (one.seconds ? `  ·  ${(one.seconds * 1e3).toFixed(1)} ms` : "");
    why.textContent = one.why ? `Afterwards: ${one.why}` : "";
    back.disabled = i === 0;
    forth.disabled = i === passes.length - 1;
    marks.forEach((chip, j) => chip.setAttribute("aria-pressed", String(j === i)));
    view.show(diffRows(one.diff, only.checked));
    if (focus.pinned) view.reveal();
  };
  only.addEventListener("change", () => go(at));
  go(at);
  return { element, view, step: (by) => go(at + by) };
};
const diffRows = (diff, only) => {
  const near = new Uint8Array(diff.length);
  diff.forEach(([, sign], i) => {
    if (sign !== " ") near.fill(1, Math.max(0, i - CONTEXT), Math.min(diff.length, i + CONTEXT + 1));
  });
  const rows = [];
  let hidden = 0, number = 0;
  const fold = () => { if (hidden) rows.push([[`⋯ ${hidden} ${hidden > 1 ? "lines" : "line"} as before`], "", " ", "title"]); hidden = 0; };
  diff.forEach(([line, sign], i) => {
    if (sign !== "−") number++;
    if (only && !near[i]) { hidden++; return; }
    fold();
    rows.push([D.lines[line], sign === "−" ? "" : number, sign, KIND[sign]]);
  });
  fold();
  return rows;
};

// The graph: boxes within boxes, each level in layers from top to bottom.
const SVG = "http://www.w3.org/2000/svg";
const shape = (tag, attributes, parent) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (parent) parent.append(element);
  return element;
};
const ROOM = 14, GAP = 30, ROWS_OF = 7;
const graphTab = () => {
  const boxes = [], leaf = new Array(D.graph.nodes.length);
  const build = (item, parent) => {
    const box = { id: boxes.length, parent, open: false, children: null, number: -1, nodes: [], depth: parent ? parent.depth + 1 : 0 };
    boxes.push(box);
    if (typeof item === "number") {
      const [op, values, , place, phase, type] = D.graph.nodes[item];
      const name = values.map((value) => D.values[value][0]).join(", ");
      Object.assign(box, { title: op, note: name, tip: `${name}: ${type} = ${op} ${placeText(place)}`, phase, number: item, nodes: [item] });
      leaf[item] = box;
    } else {
      const [title, phase, inside, number = -1] = item;
      Object.assign(box, { title, phase, number });
      if (number >= 0) { leaf[number] = box; box.nodes.push(number); }
      box.children = inside.map((one) => build(one, box));
      for (const child of box.children) for (const node of child.nodes) box.nodes.push(node);
      box.note = `${box.nodes.length} nodes`;
      box.tip = `${title}: ${box.note}`;
    }
    return box;
  };
  const roots = D.graph.tree.map((item) => build(item, null));
  const values = (box) => box.values ??= new Set(box.nodes.flatMap((node) => D.graph.nodes[node][1]));
  // As many groups are open at first as one can look at.
  let shown = roots.length;
  for (const queue = [...roots]; queue.length;) {
    const box = queue.shift();
    if (!box.children || (shown + box.children.length > EAGER_BOXES && shown > 1)) continue;
    box.open = true;
    shown += box.children.length;
    queue.push(...box.children);
  }
  const element = make("div", "body"), head = make("div", "head", undefined, element);
  phaseKeys(head, ["solid", "dashed", "dotted"]);
  button("open all that fits", "Open groups while there is room", () => { openMore(); layout(); fit(); }, head);
  button("collapse", "Close every group (c)", () => { boxes.forEach((box) => (box.open = false)); layout(); fit(); }, head);
  button("fit", "Show everything (0)", () => fit(), head);
  make("span", "dim", "click a group to open or close it; drag to move, wheel to zoom", head);
  const host = make("div", "draw", undefined, element);
  const svg = shape("svg", { role: "application", "aria-label": "Graph", tabindex: 0 }, host);
  const defs = shape("defs", {}, svg);
  const arrow = shape("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, defs);
  shape("path", { d: "M0 0L8 4L0 8z", fill: "var(--other)" }, arrow);
  const world = shape("g", {}, svg);
  let zoom = 1, x = 0, y = 0, size = [1, 1], wires = [];
  const openMore = () => {
    let count = 0;
    const visible = (list) => list.forEach((box) => { count++; if (box.open) visible(box.children); });
    visible(roots);
    const queue = boxes.filter((box) => box.children && !box.open && (!box.parent || box.parent.open));
    while (queue.length) {
      const box = queue.shift();
      if (count + box.children.length > 400) continue;
      box.open = true;
      count += box.children.length;
      queue.push(...box.children.filter((child) => child.children));
    }
  };
  const place = () => world.setAttribute("transform", `translate(${x} ${y}) scale(${zoom})`);
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = host;
    if (!width) return;
    zoom = Math.min(1.25, (width - 20) / size[0], Math.max((height - 20) / size[1], .7));
    x = Math.max(10, (width - size[0] * zoom) / 2);
    y = 10;
    place();
  };
  // The box in sight that holds a node.
  const visible = (node) => {
    let found = leaf[node];
    for (let box = found; box; box = box.parent) if (!box.open || box === leaf[node]) found = box;
    let top = found;
    for (let box = found.parent; box; box = box.parent) if (!box.open) top = box;
    return top;
  };
  const down = (a, b) => {
    const x1 = a.left + a.w / 2, y1 = a.top + (a.open ? 20 : a.h), x2 = b.left + b.w / 2, y2 = b.top, bend = Math.max(14, Math.abs(y2 - y1) / 2.5);
    return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  };
  // Residuals go along the right side of what is between.
  const around = (a, b) => {
    const x1 = a.left + a.w, y1 = a.top + Math.min(a.h / 2, 18), x2 = b.left + b.w, y2 = b.top + Math.min(b.h / 2, 18);
    const far = Math.max(x1, x2) + 30 + Math.min(170, Math.abs(y2 - y1) / 5);
    return `M${x1} ${y1}C${far} ${y1} ${far} ${y2} ${x2} ${y2}`;
  };
  const layout = () => {
    const seen = leaf.map((_, node) => visible(node));
    const level = new Map();  // for each parent, pairs of children where one reads the other
    const lines = new Map();
    D.graph.nodes.forEach(([, , reads, , phase], node) => {
      for (const read of reads) {
        let a = seen[read], b = seen[node];
        if (a === b) continue;
        const key = `${a.id}>${b.id}`;
        if (!lines.has(key)) lines.set(key, { a, b, residual: phase === 1 && D.graph.nodes[read][4] === 0 });
        while (a.depth > b.depth) a = a.parent;
        while (b.depth > a.depth) b = b.parent;
        while (a.parent !== b.parent) { a = a.parent; b = b.parent; }
        if (a === b) continue;
        const set = level.get(a.parent) ?? new Map();
        level.set(a.parent, set);
        (set.get(b) ?? set.set(b, new Set()).get(b)).add(a);
      }
    });
    const arrange = (list, parent) => {
      const before = level.get(parent) ?? new Map();
      const layers = [];
      for (const box of list) {
        if (box.open) {
          const [width, height] = arrange(box.children, box);
          box.w = Math.max(width, box.title.length * 7 + 60);
          box.h = height + 22;
        } else {
          box.w = Math.min(260, Math.max(70, Math.max(box.title.length * 7 + (box.children ? 14 : 0), box.note.length * 6) + 20));
          box.h = box.note ? 36 : 24;
        }
        let depth = 0;
        for (const one of before.get(box) ?? []) depth = Math.max(depth, one.layer + 1);
        box.layer = depth;
        (layers[depth] ??= []).push(box);
      }
      const rows = layers.flatMap((layer) => {
        layer.forEach((box, i) => {
          const above = [...before.get(box) ?? []];
          box.order = above.length ? above.reduce((sum, one) => sum + one.x + one.w / 2, 0) / above.length : i;
        });
        layer.sort((a, b) => a.order - b.order);
        const parts = [];
        for (let i = 0; i < layer.length; i += ROWS_OF) parts.push(layer.slice(i, i + ROWS_OF));
        for (const part of parts) {
          let left = 0;
          for (const box of part) { box.x = left; left += box.w + ROOM; }
        }
        return parts;
      });
      const width = Math.max(...rows.map((row) => row.at(-1).x + row.at(-1).w), 10) + 2 * ROOM;
      let top = ROOM;
      for (const row of rows) {
        const shift = (width - row.at(-1).x - row.at(-1).w) / 2;
        for (const box of row) { box.x += shift; box.y = top; }
        top += Math.max(...row.map((box) => box.h)) + GAP;
      }
      return [width, top - GAP + ROOM];
    };
    size = arrange(roots, null);
    if (lines.size && [...lines.values()].some(({ residual }) => residual)) size[0] += 140;
    const shapes = [], elements = [];
    const put = (box, left, top) => {
      box.left = left + box.x;
      box.top = top + box.y;
      const group = shape("g", { class: `box p${box.phase}${box.children ? (box.open ? " open" : " shut") : ""}`, tabindex: 0, role: "button", transform: `translate(${box.left} ${box.top})` });
      if (box.children) group.setAttribute("aria-expanded", String(box.open));
      group.setAttribute("aria-label", box.tip);
      group.dataset.box = box.id;
      shape("rect", { width: box.w, height: box.h }, group);
      const fits = Math.floor((box.w - 12) / 6.3);
      const title = `${box.children ? (box.open ? "▾ " : "▸ ") : ""}${box.title}`;
      shape("text", { x: 8, y: 15 }, group).textContent = title.length > fits ? `${title.slice(0, fits - 1)}…` : title;
      if (!box.open && box.note) shape("text", { x: 8, y: 29, class: "small" }, group).textContent = box.note.slice(0, Math.floor((box.w - 12) / 5.6));
      shape("title", {}, group).textContent = box.tip;
      box.element = group;
      elements.push(group);
      if (box.open) box.children.forEach((child) => put(child, box.left, box.top + 18));
    };
    boxes.forEach((box) => (box.element = null));
    roots.forEach((box) => put(box, 0, 0));
    wires = [];
    for (const { a, b, residual } of lines.values()) {
      const route = residual ? around(a, b) : down(a, b);
      const path = shape("path", { class: `wire${residual ? " residual" : ""}`, d: route, "marker-end": "url(#tip)" });
      wires.push([a, b, path]);
      shapes.push(path);
    }
    // Wires lie over open groups and under the other boxes.
    const isOpen = (group) => group.classList.contains("open");
    world.replaceChildren(...elements.filter(isOpen), ...shapes, ...elements.filter((group) => !isOpen(group)));
    mark();
  };
  const mark = () => {
    const lit = new Set();
    if (focus.values.size) for (const box of boxes) {
      if (!box.element || box.open) continue;
      for (const value of focus.values) if (values(box).has(value)) { lit.add(box); break; }
    }
    for (const box of boxes) box.element?.classList.toggle("on", lit.has(box));
    for (const [a, b, path] of wires) path.classList.toggle("on", lit.has(a) || lit.has(b));
  };
  listeners.push(mark);
  const toggle = (box, keep) => {
    if (box.children) {
      const [oldLeft, oldTop] = [box.left, box.top];
      box.open = !box.open;
      layout();
      x += (oldLeft - box.left) * zoom;  // the box stays where it was on the screen
      y += (oldTop - box.top) * zoom;
      place();
      if (keep) box.element.focus();
    } else if (values(box).size) setFocus(values(box), [D.graph.nodes[box.number][3]], true);
  };
  const center = (box) => {
    for (let one = box.parent; one; one = one.parent) one.open = true;
    layout();
    zoom = Math.max(zoom, .8);
    x = host.clientWidth / 2 - (box.left + box.w / 2) * zoom;
    y = host.clientHeight / 2 - (box.top + box.h / 2) * zoom;
    place();
  };
  const boxAt = (event) => { const group = event.target.closest(".box"); return group ? boxes[group.dataset.box] : null; };
  let drag = null;
  svg.addEventListener("pointerdown", (event) => { drag = [event.clientX, event.clientY, x, y, false]; });
  svg.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    const [dx, dy] = [event.clientX - drag[0], event.clientY - drag[1]];
    if (Math.abs(dx) + Math.abs(dy) > 4) drag[4] = true;
    if (drag[4]) { x = drag[2] + dx; y = drag[3] + dy; place(); }
  });
  svg.addEventListener("click", (event) => {
    const box = boxAt(event), moved = drag?.[4];
    drag = null;
    if (moved) return;
    if (box) toggle(box, false); else clearFocus(true);
  });
  svg.addEventListener("mouseover", (event) => {
    const box = boxAt(event);
    if (!box || (box.open && box.number < 0)) return clearFocus(false);
    const { nodes, number } = box;
    setFocus(nodes.length > 200 ? [] : values(box), number >= 0 ? [D.graph.nodes[number][3]] : nodes.slice(0, 200).map((node) => D.graph.nodes[node][3]));
  });
  svg.addEventListener("mouseleave", () => clearFocus(false));
  const zoomAt = (factor, cx, cy) => {
    const next = Math.min(4, Math.max(.02, zoom * factor));
    x = cx - (cx - x) * next / zoom;
    y = cy - (cy - y) * next / zoom;
    zoom = next;
    place();
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const frame = svg.getBoundingClientRect();
    zoomAt(Math.exp(-event.deltaY / 500), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });
  svg.addEventListener("keydown", (event) => {
    const group = event.target.closest(".box");
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    if (group && (event.key === "Enter" || event.key === " ")) toggle(boxes[group.dataset.box], true);
    else if (event.key === "+" || event.key === "=") zoomAt(1.2, host.clientWidth / 2, host.clientHeight / 2);
    else if (event.key === "-") zoomAt(1 / 1.2, host.clientWidth / 2, host.clientHeight / 2);
    else if (event.key === "0") fit();
    else if (event.key === "c") { boxes.forEach((box) => (box.open = false)); layout(); fit(); }
    else if (moves) { x += moves[0]; y += moves[1]; place(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  layout();
  let found = [], at = -1;
  return {
    element,
    shown: fit,
    view: {
      reveal: () => {},
      search: (words) => {
        found = words ? boxes.filter((box) => `${box.title} ${box.tip}`.toLowerCase().includes(words)) : [];
        at = -1;
        return found.length;
      },
      next: (step) => {
        if (!found.length) return -1;
        at = (at + step + found.length) % found.length;
        center(found[at]);
        const box = found[at];
        if (box.number >= 0) setFocus(values(box), [D.graph.nodes[box.number][3]], true);
        else box.element.focus();
        if (box.number >= 0) search.focus();
        return at;
      },
    },
  };
};

const phaseKeys = (head, styles, more = []) => [...D.graph.phases, ...more].forEach((name, phase) => {
  const key = make("span", "key", "", head), line = make("i", "", undefined, key);
  line.style.borderTopColor = `var(--${name})`;
  line.style.borderTopStyle = styles[phase] ?? "solid";
  key.append(name);
});

// Memory: a rectangle for each buffer, from the statement that writes it to the last one that reads it.
const memoryTab = () => {
  const { buffers, nbytes, live, at, times } = D.memory;
  const element = make("div", "body"), head = make("div", "head", undefined, element);
  make("span", "", `arena ${bytes(nbytes)} in ${buffers.length} buffers`, head);
  make("strong", "", `peak: ${bytes(live)} live at statement ${at}${times[at] ? ` (${times[at][0]} ${placeText(times[at][2])})` : ""}`, head).id = "peak";
  phaseKeys(head, [], ["other"]);
  make("span", "dim", "across: statements, as the program has lines below its def; up: offset in the arena; ← → go from buffer to buffer", head);
  const host = make("div", "draw", undefined, element), canvas = make("canvas", "", undefined, host);
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${buffers.length} buffers over time; the plan tab has them as a table`);
  const first = Math.min(...buffers.map((one) => one[4]), 1), last = Math.max(...buffers.map((one) => one[5]), first) + 1;
  const LEFT = 64, BOTTOM = 26, TOP = 10;
  let hover = -1;
  const scale = () => {
    const width = host.clientWidth - LEFT - 10, height = host.clientHeight - TOP - BOTTOM;
    return [(time) => LEFT + (time - first) / (last - first) * width, (offset) => TOP + height - offset / Math.max(nbytes, 1) * height];
  };
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = host, ratio = devicePixelRatio || 1;
    if (!width) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(`--${name}`).trim();
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    const [px, py] = scale();
    pen.fillStyle = colour("dim");
    pen.strokeStyle = colour("edge");
    for (let i = 0; i <= 4; i++) {
      const offset = nbytes * i / 4, top = py(offset);
      pen.fillText(bytes(Math.round(offset)), 4, top + 4);
      pen.beginPath();
      pen.moveTo(LEFT, top);
      pen.lineTo(width - 10, top);
      pen.stroke();
      const time = Math.round(first + (last - first) * i / 4);
      pen.fillText(String(time), Math.min(px(time), width - 24), height - 8);
    }
    buffers.forEach(([name, value, size, offset, from, to], i) => {
      const on = i === hover || focus.values.has(value), phase = D.graph.phases[phaseOf.get(value)] ?? "other";
      const x = px(from), y = py(offset + size), w = Math.max(px(to + 1) - x, 1), h = Math.max(py(offset) - y, 1);
      pen.globalAlpha = on ? 1 : .55;
      pen.fillStyle = colour(phase);
      pen.fillRect(x, y, w, h);
      pen.globalAlpha = 1;
      pen.strokeStyle = on ? colour("ink") : colour("back");
      pen.lineWidth = on ? 2.5 : 1;
      pen.strokeRect(x, y, w, h);
      if (h > 15 && w > name.length * 7 + 8) { pen.fillStyle = colour("ink"); pen.fillText(name, x + 4, y + 13); }
    });
    pen.lineWidth = 1.5;
    pen.strokeStyle = pen.fillStyle = colour("ink");
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(px(at + .5), TOP);
    pen.lineTo(px(at + .5), height - BOTTOM);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillText("peak", Math.min(px(at + .5) + 4, width - 34), TOP + 10);
  };
  const go = (i, pin) => {
    hover = i;
    if (i >= 0 && buffers[i][1] >= 0) focusValue(buffers[i][1], pin); else clearFocus(pin);
    if (i >= 0) {
      const [name, , size, offset, from, to, type] = buffers[i];
      footer.textContent = `${name}: ${type}  ·  ${bytes(size)} at ${offset}  ·  statements ${from}–${to}` + (times[from] ? `  ·  by ${times[from][0]} ${placeText(times[from][2])}` : "");
    }
    draw();
  };
  const find = (event) => {
    const frame = canvas.getBoundingClientRect(), [px, py] = scale(), x = event.clientX - frame.left, y = event.clientY - frame.top;
    return buffers.findIndex(([, , size, offset, from, to]) => x >= px(from) && x <= px(to + 1) && y >= py(offset + size) && y <= py(offset));
  };
  canvas.addEventListener("mousemove", (event) => { const i = find(event); if (i !== hover) go(i, false); });
  canvas.addEventListener("mouseleave", () => go(-1, false));
  canvas.addEventListener("click", (event) => go(find(event), true));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !buffers.length) return;
    go((hover + step + buffers.length) % buffers.length, true);
    event.preventDefault();
  });
  listeners.push(draw);
  new ResizeObserver(draw).observe(host);
  let found = [], place = -1;
  return {
    element, shown: draw, redraw: draw,
    view: {
      reveal: () => {},
      search: (words) => {
        found = words ? buffers.map((_, i) => i).filter((i) => buffers[i][0].toLowerCase().includes(words)) : [];
        place = -1;
        return found.length;
      },
      next: (step) => {
        if (!found.length) return -1;
        place = (place + step + found.length) % found.length;
        go(found[place], true);
        return place;
      },
    },
  };
};

// Profile: a bar for each node, or for each source line.
const MOST_BARS = 500;
// One run of the program from left to right.
const timeline = (runs) => {
  const host = make("div", "timeline"), end = Math.max(...runs.map((run) => run[3]), 1);
  const svg = shape("svg", { viewBox: `0 0 ${end} 1`, preserveAspectRatio: "none", role: "img", "aria-label": "One run in time" }, host);
  const parts = runs.map(([op, place, from, to]) => {
    const part = shape("rect", { x: from, y: 0, width: Math.max(to - from, end / 2000), height: 1 }, svg);
    shape("title", {}, part).textContent = `${op} ${placeText(place)}: ${((to - from) / 1e3).toFixed(1)} µs from ${(from / 1e3).toFixed(1)} µs on`;
    part.addEventListener("mouseenter", () => focusPlace(place, false));
    part.addEventListener("click", () => focusPlace(place, true));
    return part;
  });
  svg.addEventListener("mouseleave", () => clearFocus(false));
  listeners.push(() => parts.forEach((part, i) => part.classList.toggle("on", focus.places.has(runs[i][1]))));
  make("div", "dim", `one run with clocks: ${(end / 1e3).toFixed(1)} µs from left to right`, host);
  return host;
};
const profileTab = () => {
  const { seconds, calls, nodes } = D.profile;
  const element = make("div", "body"), head = make("div", "head", undefined, element), list = make("div", "bars");
  make("strong", "", `${(seconds * 1e6).toFixed(1)} µs a run`, head);
  make("span", "dim", `medians of ${calls} runs`, head);
  let byLine = false;
  const switcher = button("by source line", "Add up the nodes of a line", () => {
    byLine = !byLine;
    switcher.textContent = byLine ? "by node" : "by source line";
    fill();
  }, head);
  switcher.id = "byline";
  if (D.profile.runs.length) element.append(timeline(D.profile.runs));
  element.append(list);
  const [peakFlops, peakBytes] = D.profile.peaks;
  make("span", "dim", `peaks of this machine: ${(peakFlops / 1e9).toFixed(0)} GF/s in products, ${(peakBytes / 1e9).toFixed(1)} GB/s in memory`, head).id = "peaks";
  // The rate of a node, and how much that is of what the machine could do at its ratio of operations to bytes.
  const rate = ({ time, flops, moved }) => {
    if (!time || !(flops || moved)) return ["", ""];
    const roof = flops ? Math.min(peakFlops, flops / Math.max(moved, 1) * peakBytes) : peakBytes, reached = (flops || moved) / time;
    const [text, bound] = [`${(reached / 1e9).toFixed(1)} G${flops ? "F" : "B"}/s`, flops && roof === peakFlops ? "arithmetic" : "memory"];
    if (reached > roof) return [text, bound === "memory" ? "in cache" : "at peak"];
    return [text, `${(reached / roof * 100).toFixed(0)}% of ${bound}`];
  };
  let rows = [];
  const fill = () => {
    let bars = nodes.map(([op, values, place, time, , flops, moved, line, type]) => ({ op, values, place, time, flops, moved, line, type }));
    if (byLine) {
      const lines = new Map();
      for (const bar of bars) {
        const sum = lines.get(bar.line) ?? lines.set(bar.line, { op: bar.line || "(no line)", values: [], place: bar.place, time: 0, flops: 0, moved: 0, line: "", type: "" }).get(bar.line);
        sum.values.push(...bar.values);
        sum.time += bar.time;
        sum.flops += bar.flops;
        sum.moved += bar.moved;
        sum.line = `${(sum.values.length)} values`;
      }
      bars = [...lines.values()].sort((a, b) => b.time - a.time);
    }
    const most = Math.max(...bars.map((bar) => bar.time), 1e-12);
    rows = bars.slice(0, MOST_BARS).map((bar) => {
      const row = make("div", "bar");
      row.tabIndex = 0;
      row.title = `${bar.op} ${bar.type}`;
      make("span", "", bar.op, row);
      make("span", "fill", "", row).style.width = `${Math.max(.2, bar.time / most * 100)}%`;
      make("span", "num", `${(bar.time * 1e6).toFixed(1)} µs`, row);
      for (const text of rate(bar)) make("span", "num", text, row);
      make("span", "dim", bar.line, row);
      row.addEventListener("mouseenter", () => setFocus(bar.values, [bar.place]));
      row.addEventListener("focus", () => setFocus(bar.values, [bar.place]));
      row.addEventListener("mouseleave", () => clearFocus(false));
      row.addEventListener("click", () => setFocus(bar.values, [bar.place], true));
      return [row, bar];
    });
    list.replaceChildren(...rows.map(([row]) => row));
  };
  listeners.push(() => rows.forEach(([row, bar]) => row.classList.toggle("on", bar.values.some((value) => focus.values.has(value)) || (byLine && focus.places.has(bar.place)))));
  fill();
  let found = [], at = -1;
  return {
    element,
    view: {
      reveal: () => {},
      search: (words) => {
        found = words ? rows.filter(([row]) => row.textContent.toLowerCase().includes(words)) : [];
        at = -1;
        return found.length;
      },
      next: (step) => {
        if (!found.length) return -1;
        at = (at + step + found.length) % found.length;
        found[at][0].scrollIntoView({ block: "center" });
        setFocus(found[at][1].values, [found[at][1].place], true);
        return at;
      },
    },
  };
};

// Tabs are built when they are first shown.
const TABS = [];
const addTab = (name, build) => {
  const tab = button(name, "", () => open(tab.index), tabs);
  tab.id = `tab-${name}`;
  tab.index = TABS.length;
  tab.tabIndex = -1;
  tab.setAttribute("role", "tab");
  TABS.push({ name, tab, build, made: null });
};
let current = null;
const open = (index) => {
  const next = TABS[index];
  if (!next) return;
  current = next;
  next.made ??= next.build();
  TABS.forEach(({ tab }) => { tab.setAttribute("aria-selected", String(tab === next.tab)); tab.tabIndex = tab === next.tab ? 0 : -1; });
  body.replaceChildren(next.made.element);
  next.made.shown?.();
  listeners.forEach((listen) => listen());
  if (focus.pinned) next.made.view.reveal();
  if (search.value) runSearch();
};
for (const one of D.stages) {
  if (one.edits) { if (one === passes[0]) addTab("passes", passTab); }
  else addTab(one.name, () => textTab(one));
}
addTab("graph", graphTab);
if (D.memory.buffers.length) addTab("memory", memoryTab);
if (D.profile) addTab("profile", profileTab);

const showCount = (count, at) => { counter.textContent = search.value ? `${count ? at + 1 : 0}/${count}` : ""; };
let matches = 0;
const runSearch = () => {
  matches = current.made.view.search(search.value.toLowerCase());
  showCount(matches, Math.max(0, current.made.view.at ?? 0));
};
const step = (by) => showCount(matches, current.made.view.next(by));
search.addEventListener("input", runSearch);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
  if (event.key === "Escape") { search.value = ""; runSearch(); search.blur(); }
});
const switchTheme = (to) => {
  const root = document.documentElement;
  root.dataset.theme = to ?? (root.dataset.theme === "dark" ? "light" : "dark");
  listeners.forEach((listen) => listen());
};
const help = make("dialog", "", undefined, document.body);
const table = make("table", "", undefined, help);
for (const [key, text] of [["/", "search this tab; Enter and Shift+Enter go on"], ["1 … 9", "tabs; ← → on the row of tabs"], ["[ ]", "pass before, next pass"],
  ["n N", "next line of what is pinned"], ["Esc", "let go of what is pinned"], ["t", "light or dark"], ["+ − 0 c", "graph: zoom, fit, collapse; Tab and Enter open groups"], ["← →", "memory: buffers"]]) {
  const row = make("tr", "", undefined, table);
  make("kbd", "", key, make("td", "", undefined, row));
  make("td", "", text, row);
}
button("Close", "Esc", () => help.close(), help);
tabs.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  open((TABS.indexOf(current) + by + TABS.length) % TABS.length);
  current.tab.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input[type=search]") || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const { key } = event, passesAt = TABS.findIndex(({ name }) => name === "passes");
  if (key === "/") { search.focus(); search.select(); }
  else if (key === "Escape") clearFocus(true);
  else if (key === "t") switchTheme();
  else if (key === "?") help.showModal();
  else if (key === "n" || key === "N") nextHit(key === "n" ? 1 : -1);
  else if ((key === "[" || key === "]") && passesAt >= 0) {
    if (current.name !== "passes") open(passesAt); else current.made.step(key === "]" ? 1 : -1);
  } else if (/^[1-9]$/.test(key)) open(+key - 1);
  else return;
  event.preventDefault();
});
const nextHit = (by) => {
  const { view } = current.made;
  if (!view.rows) return;
  const hits = view.rows.map((_, i) => i).filter((i) => view.hits(i));
  if (!hits.length) return;
  view.hit = ((view.hit ?? -1) + by + hits.length) % hits.length;
  view.scrollTo(hits[view.hit]);
};
grip.addEventListener("pointerdown", (event) => {
  grip.setPointerCapture(event.pointerId);
  const move = (at) => { side.style.width = `${Math.min(80, Math.max(10, at.clientX / innerWidth * 100))}%`; };
  grip.addEventListener("pointermove", move);
  grip.addEventListener("pointerup", () => grip.removeEventListener("pointermove", move), { once: true });
});
switchTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
describeFocus();
const wanted = TABS.findIndex(({ name }) => name === decodeURIComponent(location.hash.slice(1)));
open(wanted >= 0 ? wanted : TABS.findIndex(({ name }) => name === "joint"));
document.documentElement.dataset.ready = Math.round(performance.now());
})();
