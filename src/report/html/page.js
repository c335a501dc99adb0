// The page's script: search, filters and keys. Without it everything can still be read, opened and closed.
(() => {
  const toolbar = document.querySelector('.toolbar');
  if (!toolbar) return;
  toolbar.hidden = false;

  const changes = [...document.querySelectorAll('.change')];
  const sections = [...document.querySelectorAll('section.changes')];
  const search = document.getElementById('search');
  const kind = document.getElementById('kind');
  const shown = document.getElementById('shown');

  // What is searched in: read when it is needed first, since it takes a moment for a large plan.
  const texts = new Map();
  const textOf = (change) => {
    if (!texts.has(change)) texts.set(change, change.textContent.toLowerCase());
    return texts.get(change);
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
    for (const section of sections) section.hidden = !section.querySelector('.change:not([hidden])');
    const [count, most] = [countOf(visible()), countOf(changes)];
    const all = `${most} change${most === 1 ? '' : 's'}`;
    shown.textContent = count === most ? all : `${count} of ${all}`;
  };

  search.addEventListener('input', filter);
  toolbar.addEventListener('change', filter);

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

  // A link to a change opens it, also if a filter hides it.
  const reveal = () => {
    const change = document.getElementById(location.hash.slice(1))?.closest('.change');
    if (!change) return;
    change.hidden = false;
    change.closest('section').hidden = false;
    change.open = true;
    change.querySelector('summary').focus();
  };
  addEventListener('hashchange', reveal);
  reveal();
})();
