type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [`the${name}`, renamed(inner)]));
}

/** The members of the answer stay, those of what is in them do not. */
function renamedInside(value: unknown): unknown {
  if (!isObject(value)) return renamed(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner)]));
}

const json = (value: unknown) => ({ type: 'application/json; charset=utf-8', text: JSON.stringify(value) });

/** Bodies that say nothing to whoever knows only the usual form, made of the true one (undefined where there was none). */
export const lies = {
  wrapped: (body: unknown) => json({ envs: body }),
  listed: (body: unknown) => json([body]),
  renamed: (body: unknown) => json(renamed(body)),
  'renamed inside': (body: unknown) => json(renamedInside(body)),
  nothing: () => ({ type: 'application/json; charset=utf-8', text: '' }),
  null: () => json(null),
  'an empty object': () => json({}),
  'an empty list': () => json([]),
  text: () => ({ type: 'text/plain', text: 'ok' }),
  html: () => ({ type: 'text/html', text: '<!doctype html><title>Sign in</title><form></form>' }),
  'of other types': () =>
    json({ id: null, created: 'all', updated: 1, deleted: {}, failed: true, version: [] }),
} satisfies Record<string, (body: unknown) => { type: string; text: string }>;

export type Lie = keyof typeof lies;
