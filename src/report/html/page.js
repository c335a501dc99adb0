// The page's script: search, filters and keys. Without it everything can still be read, opened and closed.
(() => {
  const toolbar = document.querySelector('.toolbar');
  if (!toolbar) return;
  toolbar.hidden = false;

  const changes = [...document.querySelectorAll('.change')];
  const groups = [...document.querySelectorAll('.group, section.changes')];
  const links = [...document.querySelectorAll('.outline a')];
  const search = document.getElementById('search');
  const kind = document.getElementById('kind');
  const shown = document.getElementById('shown');
  const boxes = [...toolbar.querySelectorAll('fieldset input')];

  // A change is an entry of the page. One entry can stand for several changes of the plan (`data-count`) and then lists their names.
  const searchTexts = new Map();
  /**
   * Returns the texts of a change that a search looks at: its summary and fields, and each of its names. Its requests do not count, because
   * those of a batch name its siblings, too. The texts are read at the first search, because that takes a moment for a large plan.
   */
  const searchTextsOf = (change) => {
    if (!searchTexts.has(change)) {
      const elements = [...change.querySelectorAll(':scope > summary > :not(.peek), :scope > .body > dl')];
      const names = [...change.querySelectorAll('.names li')];
      searchTexts.set(change, {
        text: elements.map((element) => element.textContent.toLowerCase()).join(' '),
        names: names.map((element) => ({ element, name: element.textContent.toLowerCase() })),
      });
    }
    return searchTexts.get(change);
  };

  const matchCounts = new Map();
  /** Counts the changes of an entry that have all the words. If it lists several names, those without the words are hidden. */
  const countMatches = (change, words) => {
    const count = Number(change.dataset.count);
    if (words.length === 0 && !matchCounts.has(change)) return count;
    const { text, names } = searchTextsOf(change);
    const missingWords = words.filter((word) => !text.includes(word));
    if (names.length === 0) return missingWords.length === 0 ? count : 0;
    let matches = 0;
    for (const { element, name } of names) {
      const isMatch = missingWords.every((word) => name.includes(word));
      element.hidden = !isMatch;
      if (isMatch) matches++;
    }
    return matches;
  };

  /** Returns the checked values of a filter: `action`, `risk`, `cause` or `finding`. */
  const chosenValues = (name) =>
    new Set(boxes.filter((box) => box.name === name && box.checked).map(({ value }) => value));
  const searchedWords = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const total = changes.reduce((sum, change) => sum + Number(change.dataset.count), 0);

  /** Hides the changes, groups and links that neither the search nor the filters select, and shows the number of the others. */
  const filter = () => {
    const words = searchedWords();
    const [actions, risks, causes, findings] = ['action', 'risk', 'cause', 'finding'].map(chosenValues);
    let count = 0;
    for (const change of changes) {
      const { action, risk, cause, finding = 'none', kind: itsKind } = change.dataset;
      const isSelected =
        (actions.size === 0 || actions.has(action)) &&
        (risks.size === 0 || risks.has(risk)) &&
        (causes.size === 0 || causes.has(cause)) &&
        (findings.size === 0 || findings.has(finding)) &&
        (kind.value === '' || kind.value === itsKind);
      const matches = isSelected ? countMatches(change, words) : 0;
      matchCounts.set(change, matches);
      change.hidden = matches === 0;
      count += matches;
    }
    for (const group of groups) group.hidden = !group.querySelector('.change:not([hidden])');
    for (const link of links) {
      const group = document.getElementById(link.hash.slice(1))?.closest('.group, section.changes');
      link.parentElement.hidden = Boolean(group?.hidden);
    }
    const totalText = `${total} change${total === 1 ? '' : 's'}`;
    shown.textContent = count === total ? totalText : `${count} of ${totalText}`;
    highlight(words);
  };

  let markTimer;
  const marks = globalThis.Highlight && CSS.highlights ? new Highlight() : undefined;
  if (marks) CSS.highlights.set('found', marks);
  /** Marks the words in the visible changes, without changing the page. A few changes at a time, so that typing never waits for it. */
  const highlight = (words) => {
    if (!marks) return;
    clearTimeout(markTimer);
    marks.clear();
    if (words.length === 0) return;
    const visibleChanges = listVisible();
    const markBatch = (from) => {
      for (const change of visibleChanges.slice(from, from + 100)) {
        for (const element of change.querySelectorAll(
          '.name, .about, .why, .finding, .peek, dt, dd, .names li',
        ))
          mark(element, words);
      }
      if (from + 100 < visibleChanges.length) markTimer = setTimeout(markBatch, 0, from + 100);
    };
    markBatch(0);
  };

  /** Marks the words in the text of an element. A match may begin in one text node of the element and end in another. */
  const mark = (element, words) => {
    const text = element.textContent.toLowerCase();
    if (!words.some((word) => text.includes(word))) return;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let start = 0; walker.nextNode(); ) {
      nodes.push({ node: walker.currentNode, start });
      start += walker.currentNode.length;
    }
    // Converts an offset in the text of the element to a text node and an offset in it, for the start or the end of a range.
    const toBoundary = (offset, isEnd) => {
      const { node, start } = nodes.findLast(({ start }) => (isEnd ? start < offset : start <= offset));
      return [node, Math.min(offset - start, node.length)];
    };
    for (const word of words)
      for (let offset = text.indexOf(word); offset >= 0; offset = text.indexOf(word, offset + word.length)) {
        const range = new Range();
        range.setStart(...toBoundary(offset, false));
        range.setEnd(...toBoundary(offset + word.length, true));
        marks.add(range);
      }
  };

  // The search, the filters and the element that a link led to are part of the page's address: `#q=web&risk=destructive&at=change-3`. A
  // fragment without `=` is the id of an element alone.

  /** Returns the search and the filters for the page's address, so that a copied address shows the same changes. */
  const readControls = () => {
    const state = new URLSearchParams();
    const query = search.value.trim();
    if (query !== '') state.set('q', query);
    if (kind.value !== '') state.set('kind', kind.value);
    for (const { name, value, checked } of boxes) if (checked) state.append(name, value);
    return state;
  };
  /** Returns the search, the filters and the element (`at`) in the page's address. */
  const parseFragment = () => {
    const fragment = location.hash.slice(1);
    return fragment.includes('=')
      ? new URLSearchParams(fragment)
      : new URLSearchParams(fragment ? { at: fragment } : {});
  };
  /** Sets the search and the filters to those of the page's address, and goes to its element. */
  const restore = () => {
    const state = parseFragment();
    search.value = state.get('q') ?? '';
    kind.value = state.get('kind') ?? '';
    if (kind.selectedIndex < 0) kind.value = '';
    for (const box of boxes) box.checked = state.getAll(box.name).includes(box.value);
    filter();
    const id = state.get('at');
    if (id) reveal(id);
  };

  /** True while the user types in the search. "Back" then undoes the search as a whole, not letter by letter. */
  let isTypingOn = false;
  /** Writes the state into the page's address. `isSameStep`: without a new step for the "Back" button. */
  const storeInAddress = (state, isSameStep) => {
    const fragment = state.toString();
    if (fragment === location.hash.slice(1)) return;
    const address = fragment === '' ? location.pathname + location.search : `#${fragment}`;
    try {
      history[isSameStep ? 'replaceState' : 'pushState'](null, '', address);
    } catch {
      // Some viewers of pages do not let them change their address.
    }
  };
  search.addEventListener('input', () => {
    storeInAddress(readControls(), isTypingOn);
    isTypingOn = true;
    filter();
  });
  for (const type of ['blur', 'change'])
    search.addEventListener(type, () => {
      isTypingOn = false;
    });

  const besideBox = document.getElementById('beside');
  toolbar.addEventListener('change', ({ target }) => {
    if (target === search || target === besideBox) return;
    storeInAddress(readControls(), false);
    filter();
  });

  besideBox.closest('label').hidden = !document.querySelector('.difference');
  besideBox.addEventListener('change', () => document.body.classList.toggle('stacked', !besideBox.checked));

  const listVisible = () => changes.filter((change) => !change.hidden);
  const openAll = (isOpen) => {
    for (const change of listVisible()) change.open = isOpen;
  };
  document.getElementById('expand').addEventListener('click', () => openAll(true));
  document.getElementById('collapse').addEventListener('click', () => openAll(false));

  const focusedChange = () => document.activeElement?.closest('.change');

  /** Moves the focus to the next visible change (`step` 1) or the previous one (-1); from outside the list to the first or the last. */
  const go = (step) => {
    const visibleChanges = listVisible();
    const index = visibleChanges.indexOf(focusedChange());
    const startIndex = step > 0 ? 0 : visibleChanges.length - 1;
    const nextIndex = index < 0 ? startIndex : index + step;
    visibleChanges[nextIndex]?.querySelector('summary').focus();
  };

  /** Handles Escape: closes the focused change, or empties the search; leaves the search if it is empty. */
  const back = () => {
    const change = focusedChange();
    if (change) {
      change.open = false;
      change.querySelector('summary').focus();
    } else if (document.activeElement === search) {
      if (search.value === '') search.blur();
      search.value = '';
      storeInAddress(readControls(), isTypingOn);
      filter();
    }
  };

  const isTyping = (target) =>
    target instanceof Element && target.matches('input[type=search], select, textarea');

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key, target } = event;
    const inList = Boolean(focusedChange());
    const inSearch = target === search;
    if (key === 'Escape') back();
    else if (inSearch && (key === 'Enter' || key === 'ArrowDown')) go(1);
    else if (isTyping(target)) return;
    else if (key === '/') search.focus();
    else if (key === 'j' || (key === 'ArrowDown' && inList)) go(1);
    else if (key === 'k' || (key === 'ArrowUp' && inList)) go(-1);
    else return;
    event.preventDefault();
  });

  /** Scrolls to the element with an id. If it is in a change, opens the change, and shows it even if a filter hides it. */
  const reveal = (id) => {
    const target = document.getElementById(id);
    const change = target?.closest('.change');
    if (change) {
      for (let element = change; element; element = element.parentElement) element.hidden = false;
      change.open = true;
      change.querySelector('summary').focus();
    }
    target?.scrollIntoView();
  };
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const state = readControls();
    state.set('at', link.hash.slice(1));
    storeInAddress(state, false);
    reveal(link.hash.slice(1));
  });
  // Fired by the buttons of the browser, and also if the user edits the address.
  addEventListener('popstate', restore);
  restore();
})();
