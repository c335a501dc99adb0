// The page's script: search, filters and keys. Without it everything can still be read, opened and closed.
(() => {
  const toolbar = document.querySelector('.toolbar');
  if (!toolbar) return;
  toolbar.hidden = false;

  const changes = [...document.querySelectorAll('.change')];
  const parts = [...document.querySelectorAll('.group, section.changes')];
  const links = [...document.querySelectorAll('.outline a')];
  const search = document.getElementById('search');
  const kind = document.getElementById('kind');
  const shown = document.getElementById('shown');
  const boxes = [...toolbar.querySelectorAll('fieldset input')];

  // What a change says of itself: its requests are left out, since those of a batch name its siblings, too. Read when it is needed first,
  // since it takes a moment for a large plan.
  const texts = new Map();
  const textOf = (change) => {
    if (!texts.has(change)) {
      const own = change.querySelectorAll(':scope > summary > :not(.peek), :scope > .body > dl');
      const names = [...change.querySelectorAll('.names li')];
      texts.set(change, {
        own: [...own].map((part) => part.textContent.toLowerCase()).join(' '),
        names: names.map((item) => ({ item, text: item.textContent.toLowerCase() })),
      });
    }
    return texts.get(change);
  };

  const numbers = new Map();
  /** The number of changes in an entry that have all the words. If an entry has several, the names without them are hidden. */
  const found = (change, words) => {
    if (words.length === 0 && !numbers.has(change)) return Number(change.dataset.count);
    const { own, names } = textOf(change);
    const rest = words.filter((word) => !own.includes(word));
    let number = 0;
    for (const { item, text } of names) {
      const isFound = rest.every((word) => text.includes(word));
      item.hidden = !isFound;
      if (isFound) number++;
    }
    return names.length > 0 ? number : rest.length === 0 ? Number(change.dataset.count) : 0;
  };

  const chosen = (name) =>
    new Set(boxes.filter((box) => box.name === name && box.checked).map(({ value }) => value));
  const wordsOf = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const most = changes.reduce((sum, change) => sum + Number(change.dataset.count), 0);

  const filter = () => {
    const words = wordsOf();
    const [actions, risks, causes] = ['action', 'risk', 'cause'].map(chosen);
    let count = 0;
    for (const change of changes) {
      const { action, risk, cause, kind: itsKind } = change.dataset;
      const number =
        (actions.size === 0 || actions.has(action)) &&
        (risks.size === 0 || risks.has(risk)) &&
        (causes.size === 0 || causes.has(cause)) &&
        (kind.value === '' || kind.value === itsKind)
          ? found(change, words)
          : 0;
      numbers.set(change, number);
      change.hidden = number === 0;
      count += number;
    }
    for (const part of parts) part.hidden = !part.querySelector('.change:not([hidden])');
    for (const link of links) {
      const part = document.getElementById(link.hash.slice(1))?.closest('.group, section.changes');
      link.parentElement.hidden = Boolean(part?.hidden);
    }
    const all = `${most} change${most === 1 ? '' : 's'}`;
    shown.textContent = count === most ? all : `${count} of ${all}`;
    highlight(words);
  };

  // Matches are marked without changing the page: a few changes at a time, so that typing never waits for it.
  let marking;
  const marks = globalThis.Highlight && CSS.highlights ? new Highlight() : undefined;
  if (marks) CSS.highlights.set('found', marks);
  const highlight = (words) => {
    if (!marks) return;
    clearTimeout(marking);
    marks.clear();
    if (words.length === 0) return;
    const list = visible();
    const some = (from) => {
      for (const change of list.slice(from, from + 100)) {
        for (const part of change.querySelectorAll('.name, .about, .why, .peek, dt, dd, .names li'))
          mark(part, words);
      }
      if (from + 100 < list.length) marking = setTimeout(some, 0, from + 100);
    };
    some(0);
  };

  /** A match may begin in one text of an element and end in another. */
  const mark = (part, words) => {
    const text = part.textContent.toLowerCase();
    if (!words.some((word) => text.includes(word))) return;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let start = 0; walker.nextNode(); ) {
      nodes.push({ node: walker.currentNode, start });
      start += walker.currentNode.length;
    }
    const place = (offset, isEnd) => {
      const at = nodes.findLast(({ start }) => (isEnd ? start < offset : start <= offset));
      return [at.node, Math.min(offset - at.start, at.node.length)];
    };
    for (const word of words)
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(...place(at, false));
        range.setEnd(...place(at + word.length, true));
        marks.add(range);
      }
  };

  // The search, the choices and the current place are part of the page's address: `#q=web&risk=destructive&at=change-3`. A fragment
  // without `=` is a place alone.
  const stateOf = () => {
    const state = new URLSearchParams();
    const query = search.value.trim();
    if (query !== '') state.set('q', query);
    if (kind.value !== '') state.set('kind', kind.value);
    for (const { name, value, checked } of boxes) if (checked) state.append(name, value);
    return state;
  };
  const given = () => {
    const fragment = location.hash.slice(1);
    return fragment.includes('=')
      ? new URLSearchParams(fragment)
      : new URLSearchParams(fragment ? { at: fragment } : {});
  };
  const restore = () => {
    const state = given();
    // A link from elsewhere to a place keeps the choices.
    search.value = state.get('q') ?? '';
    kind.value = state.get('kind') ?? '';
    if (kind.selectedIndex < 0) kind.value = '';
    for (const box of boxes) box.checked = state.getAll(box.name).includes(box.value);
    filter();
    const place = state.get('at');
    if (place) reveal(place);
  };

  /** One step back takes back a search as a whole, however many letters it has. */
  let isTypingOn = false;
  const keep = (state, isSameStep) => {
    const fragment = state.toString();
    if (fragment === location.hash.slice(1)) return;
    const address = fragment === '' ? location.pathname + location.search : `#${fragment}`;
    try {
      history[isSameStep ? 'replaceState' : 'pushState'](null, '', address);
    } catch {
      // Some places in which a page is shown allow no change of its address.
    }
  };
  search.addEventListener('input', () => {
    keep(stateOf(), isTypingOn);
    isTypingOn = true;
    filter();
  });
  for (const type of ['blur', 'change'])
    search.addEventListener(type, () => {
      isTypingOn = false;
    });

  const beside = document.getElementById('beside');
  toolbar.addEventListener('change', ({ target }) => {
    if (target === search || target === beside) return;
    keep(stateOf(), false);
    filter();
  });

  beside.closest('label').hidden = !document.querySelector('.difference');
  beside.addEventListener('change', () => document.body.classList.toggle('stacked', !beside.checked));

  const visible = () => changes.filter((change) => !change.hidden);
  const openAll = (isOpen) => {
    for (const change of visible()) change.open = isOpen;
  };
  document.getElementById('expand').addEventListener('click', () => openAll(true));
  document.getElementById('collapse').addEventListener('click', () => openAll(false));

  const here = () => document.activeElement?.closest('.change');

  /** To the next or previous change that is shown; from elsewhere to the first or the last. */
  const go = (step) => {
    const list = visible();
    const at = list.indexOf(here());
    const next = at < 0 ? (step > 0 ? 0 : list.length - 1) : at + step;
    list[next]?.querySelector('summary').focus();
  };

  const back = () => {
    const change = here();
    if (change) {
      change.open = false;
      change.querySelector('summary').focus();
    } else if (document.activeElement === search) {
      if (search.value === '') search.blur();
      search.value = '';
      keep(stateOf(), isTypingOn);
      filter();
    }
  };

  const isTyping = (target) =>
    target instanceof Element && target.matches('input[type=search], select, textarea');

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key, target } = event;
    const inList = Boolean(here());
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

  /** Goes to a place. A change is opened, also if a filter hides it. */
  const reveal = (id) => {
    const place = document.getElementById(id);
    const change = place?.closest('.change');
    if (change) {
      for (let part = change; part; part = part.parentElement) part.hidden = false;
      change.open = true;
      change.querySelector('summary').focus();
    }
    place?.scrollIntoView();
  };
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const state = stateOf();
    state.set('at', link.hash.slice(1));
    keep(state, false);
    reveal(link.hash.slice(1));
  });
  // Both where somebody goes back and where the address is changed by hand.
  addEventListener('popstate', restore);
  restore();
})();
