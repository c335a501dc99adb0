// The page's script: search, filters and keys. Without it everything can still be read, opened and closed.
(() => {
  const toolbar = document.querySelector('.toolbar');
  if (!toolbar) return;
  toolbar.hidden = false;

  const changes = [...document.querySelectorAll('.change')];
  const sections = [...document.querySelectorAll('section.changes')];
  const groups = [...document.querySelectorAll('.group')];
  const search = document.getElementById('search');
  const kind = document.getElementById('kind');
  const shown = document.getElementById('shown');

  // What is searched in: read when it is needed first, since it takes a moment for a large plan. Requests are left out: one that is sent
  // for several changes stands under one of them, and would be found for the others.
  const searched = (change) => {
    const all = document.createTreeWalker(change, NodeFilter.SHOW_TEXT, {
      acceptNode: ({ parentElement }) =>
        parentElement.closest('.requests, .gist') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    });
    const found = [];
    while (all.nextNode()) found.push(all.currentNode);
    return found;
  };
  const texts = new Map();
  const textOf = (change) => {
    if (!texts.has(change))
      texts.set(
        change,
        searched(change)
          .map(({ data }) => data)
          .join('')
          .toLowerCase(),
      );
    return texts.get(change);
  };

  // The first matches that are shown; nothing of the page is changed for it.
  const most = 500;
  const highlight = (words) => {
    if (!globalThis.CSS?.highlights) return;
    const ranges = [];
    if (words.length > 0)
      for (const change of visible()) {
        for (const node of searched(change))
          for (const word of words)
            for (let at = node.data.toLowerCase().indexOf(word); at >= 0; ) {
              const range = new Range();
              range.setStart(node, at);
              range.setEnd(node, at + word.length);
              ranges.push(range);
              at = node.data.toLowerCase().indexOf(word, at + word.length);
            }
        if (ranges.length > most) break;
      }
    CSS.highlights.set('found', new Highlight(...ranges));
  };

  const chosen = (name) => {
    const boxes = toolbar.querySelectorAll(`input[name=${name}]:checked`);
    return new Set([...boxes].map(({ value }) => value));
  };

  // An entry may stand for several changes.
  const countOf = (list) => list.reduce((sum, change) => sum + Number(change.dataset.count), 0);

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const actions = chosen('action');
    const risks = chosen('risk');
    const causes = chosen('cause');
    for (const change of changes) {
      const { action, risk, cause, kind: itsKind } = change.dataset;
      change.hidden = !(
        (actions.size === 0 || actions.has(action)) &&
        (risks.size === 0 || risks.has(risk)) &&
        (causes.size === 0 || causes.has(cause)) &&
        (kind.value === '' || kind.value === itsKind) &&
        words.every((word) => textOf(change).includes(word))
      );
    }
    for (const part of [...groups, ...sections]) part.hidden = !part.querySelector('.change:not([hidden])');
    const [count, number] = [countOf(visible()), countOf(changes)];
    const all = `${number} change${number === 1 ? '' : 's'}`;
    shown.textContent = count === number ? all : `${count} of ${all}`;
    highlight(words);
  };

  // What is searched and filtered stands in the address, so that a link shows the same: `#q=env&risk=destructive`.
  const boxes = [...toolbar.querySelectorAll('input[name]')];
  const remember = () => {
    const all = new URLSearchParams();
    if (search.value.trim() !== '') all.set('q', search.value.trim());
    if (kind.value !== '') all.set('kind', kind.value);
    for (const { name, value, checked } of boxes) if (checked) all.append(name, value);
    const text = all.toString();
    if (text !== location.hash.slice(1))
      history.replaceState(null, '', text === '' ? location.pathname + location.search : `#${text}`);
  };
  const recall = () => {
    if (!location.hash.includes('=')) return;
    const all = new URLSearchParams(location.hash.slice(1));
    search.value = all.get('q') ?? '';
    kind.value = all.get('kind') ?? '';
    for (const box of boxes) box.checked = all.getAll(box.name).includes(box.value);
    filter();
  };
  const changed = () => {
    filter();
    remember();
  };

  search.addEventListener('input', changed);
  for (const input of [kind, ...boxes]) input.addEventListener('change', changed);

  const beside = document.getElementById('beside');
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
      changed();
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

  // A link to a change opens it, also if a filter hides it.
  const reveal = () => {
    const change = document.getElementById(location.hash.slice(1))?.closest('.change');
    if (!change) return;
    change.hidden = false;
    for (const part of [change.closest('.group'), change.closest('section')]) if (part) part.hidden = false;
    change.open = true;
    change.querySelector('summary').focus();
  };
  addEventListener('hashchange', reveal);
  addEventListener('hashchange', recall);
  recall();
  reveal();
})();
