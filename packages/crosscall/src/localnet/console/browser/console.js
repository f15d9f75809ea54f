// The console's only first-party script. It handles keys, copying and live rows. Everything else is HTML from the service.

const ROW = ".row[data-sort]";

/** @param {string} text */
function announce(text) {
  const place = document.getElementById("announcement");
  if (place !== null) place.textContent = text;
}

/** @param {HTMLElement} button */
async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy ?? "");
  announce("Copied");
}

/**
 * @param {HTMLElement} list
 * @param {string} requestId
 */
function findRow(list, requestId) {
  return list.querySelector(`[data-id="${CSS.escape(requestId)}"]`);
}

/**
 * Replaces a row, or inserts a new row among the loaded rows, newest first.
 *
 * @param {HTMLElement} list
 * @param {string} html
 */
function placeRow(list, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const row = template.content.firstElementChild;
  if (!(row instanceof HTMLElement)) return;
  if (row.dataset.missed !== undefined) {
    document.getElementById("missed")?.removeAttribute("hidden");
    return;
  }
  if (row.dataset.gone !== undefined) {
    findRow(list, row.dataset.gone)?.remove();
    return;
  }
  const present = findRow(list, row.dataset.id ?? "");
  if (present !== null) {
    const link = present.contains(document.activeElement) ? row.querySelector("a") : null;
    present.replaceWith(row);
    link?.focus();
    return;
  }
  const key = row.dataset.sort ?? "";
  for (const other of list.querySelectorAll(ROW)) {
    if (other instanceof HTMLElement && (other.dataset.sort ?? "") < key) {
      other.before(row);
      return;
    }
  }
  // The row is older than all loaded rows, so it loads with its page if there are more pages.
  if (document.querySelector("#more[hx-get]") === null) list.querySelector(".page:last-of-type")?.append(row);
}

/** @param {number} step */
function moveFocus(step) {
  const links = [...document.querySelectorAll(`${ROW} a`)];
  const index = links.findIndex((link) => link === document.activeElement);
  const next = links[Math.min(Math.max(index + step, 0), links.length - 1)];
  if (!(next instanceof HTMLElement)) return;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function showKeys() {
  const dialog = document.getElementById("keys");
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

let isGoing = false;

/** @param {KeyboardEvent} event */
function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const wasGoing = isGoing;
  isGoing = event.key === "g" && !wasGoing;
  if (wasGoing) {
    const link = document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`);
    if (link instanceof HTMLElement) link.click();
    return;
  }
  switch (event.key) {
    case "/": {
      const search = document.querySelector("input[type=search]");
      if (!(search instanceof HTMLElement)) return;
      event.preventDefault();
      search.focus();
      return;
    }
    case "j":
      moveFocus(1);
      return;
    case "k":
      moveFocus(-1);
      return;
    case "?":
      showKeys();
  }
}

document.addEventListener("keydown", pressKey);

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button === null) return;
  if (button.dataset.copy !== undefined) void copy(button);
  if (button.dataset.dialog === "keys") showKeys();
});

/** @param {Element} place */
function openSummaries(place) {
  return [...place.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent);
}

/**
 * Keeps opened sections open when a change of the request replaces the page.
 *
 * @param {Element} place
 */
function keepOpen(place) {
  const texts = openSummaries(place);
  if (texts.length === 0) return;
  const restore = () => {
    for (const summary of place.querySelectorAll("details > summary")) {
      if (texts.includes(summary.textContent)) summary.parentElement?.setAttribute("open", "");
    }
  };
  place.addEventListener("htmx:sseMessage", restore, { once: true });
}

document.addEventListener("htmx:sseBeforeMessage", (event) => {
  const place = event.target;
  if (!(event instanceof CustomEvent) || !(place instanceof HTMLElement)) return;
  if (place.id !== "rows") {
    keepOpen(place);
    return;
  }
  event.preventDefault();
  placeRow(place, String(event.detail.data));
});
