import { evidence } from '../../providers/hosting/evidence.ts';

/*
 * Where the published form of an answer leaves members open, at any depth. A path has the names of members, `[]` for each item of a list, and `*` for
 * each entry of a map with free keys. In a published form, a list of one form is a list, a list of several forms are alternatives, a name with `?` is
 * optional, and `0` is null.
 */

type Row = Record<string, unknown>;
type Form = string | Form[] | { [member: string]: Form };

/** A change of an answer that the published form allows: one member less, or null. */
export interface Loose {
  path: string[];
  change: 'missing' | 'null';
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const normalize = (endpoint: string) => endpoint.replace(/\?.*/, '').replaceAll(/\{[^}]+\}/g, '{}');
const published = new Map(
  Object.entries(evidence.shapes).map(([endpoint, form]) => [normalize(endpoint), form as unknown as Form]),
);

/** Returns the alternatives of a form. */
const alternatives = (form: Form): Form[] =>
  Array.isArray(form) && form.length > 1 ? form.flatMap(alternatives) : [form];

const member = (form: Form | undefined, name: string): Form | undefined =>
  isRow(form) ? (form[name] ?? form[`${name}?`]) : undefined;

/** Returns the alternative for an object: the one of whose required members the object lacks the fewest. */
const formOfObject = (form: Form, value: Row) => closestForm(alternatives(form), value);

function closestForm(forms: readonly Form[], value: Row): { [member: string]: Form } | undefined {
  const lacking = (each: Row) =>
    Object.keys(each).filter((name) => !/[?*]$/.test(name) && !(name in value)).length;
  const objects = forms.filter((each) => isRow(each));
  return objects.sort((a, b) => lacking(a) - lacking(b))[0];
}

/** Returns the published form of a row; `lists` are the members of the answer that may contain it, none if the answer is the row or a bare list. */
export function formOfRow(endpoint: string, lists: readonly string[], row: Row): Form | undefined {
  const form = published.get(normalize(endpoint));
  if (form === undefined) return undefined;
  const containing = lists.filter((name) => name !== '');
  const forms = alternatives(form).flatMap((answer) =>
    containing.length === 0 ? [answer] : containing.flatMap((name) => member(answer, name) ?? []),
  );
  const rows = forms.flatMap((each) => (Array.isArray(each) && each.length === 1 ? each : [each]));
  return closestForm(rows.flatMap(alternatives), row);
}

/** Returns the changes that a form allows below the first level of a value, each once. */
export function looseBelow(form: Form, value: unknown, path: string[] = []): Loose[] {
  const found = new Map<string, Loose>();
  const add = (loose: Loose[]) => {
    for (const each of loose) found.set(`${each.path.join('.')} ${each.change}`, each);
  };
  if (Array.isArray(value)) {
    const items = alternatives(form).find((each) => Array.isArray(each) && each.length === 1) as
      | Form[]
      | undefined;
    if (items) for (const item of value) add(looseBelow(items[0]!, item, [...path, '[]']));
  } else if (isRow(value)) {
    const object = formOfObject(form, value) ?? {};
    for (const [name, inner] of Object.entries(value)) {
      const known = member(object, name);
      const place = [...path, known === undefined ? '*' : name];
      const below = known ?? object['*'];
      if (below === undefined) continue;
      if (known !== undefined && path.length > 0) {
        if (`${name}?` in object) add([{ path: place, change: 'missing' }]);
        if (alternatives(known).some((each) => typeof each === 'string' && each.includes('0')))
          add([{ path: place, change: 'null' }]);
      }
      add(looseBelow(below, inner, place));
    }
  }
  return [...found.values()];
}

/** Returns a copy of a value with one change. */
export function changedAt(value: unknown, [first, ...rest]: string[], change: Loose['change']): unknown {
  if (first === undefined) return value;
  if (Array.isArray(value))
    return first === '[]' ? value.map((item) => changedAt(item, rest, change)) : value;
  if (!isRow(value)) return value;
  const isChanged = (name: string) => first === '*' || first === name;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (!isChanged(name)) return [[name, inner]];
      if (rest.length > 0) return [[name, changedAt(inner, rest, change)]];
      return change === 'missing' ? [] : [[name, null]];
    }),
  );
}

/** Members in which another member means something: maps of which the published form lists the keys, and free JSON of the kind. */
const maps = new Set(['schemas', 'filter']);

/** Returns a copy with an unpublished member in each object below the first level whose members are published. */
export function withUnknownBelow(form: Form, value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) {
    const items = alternatives(form).find((each) => Array.isArray(each) && each.length === 1) as
      | Form[]
      | undefined;
    return items ? value.map((item) => withUnknownBelow(items[0]!, item, depth + 1)) : value;
  }
  if (!isRow(value)) return value;
  const object = formOfObject(form, value);
  if (object === undefined) return value;
  const members = Object.entries(value).map(([name, inner]) => {
    const below = member(object, name) ?? object['*'];
    const isLeft = below === undefined || maps.has(name);
    return [name, isLeft ? inner : withUnknownBelow(below, inner, depth + 1)];
  });
  const isFree = Object.hasOwn(object, '*') || depth === 0;
  return {
    ...Object.fromEntries(members),
    ...(isFree ? {} : { somethingNew: { inner: ['another', null] } }),
  };
}
