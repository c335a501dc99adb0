/*
 * Compares an answer of the platform with its published form.
 *
 * The result has paths and types, never values. Members with free names, such as the keys of a map, and unpublished members are `*` in a path, because
 * their names can come from a user or be secret: the platform has bypass secrets as keys. `[]` stands for any item of a list.
 */

import type { AnswerShape } from '../kind/evidence.ts';

/** One place in which an answer is not as published. */
export interface ShapeDifference {
  /** `projects[].link.type`; empty for the whole answer. */
  path: string;
  /** The member is not published, or published and not there, or it has another type. */
  problem: 'unknown' | 'missing' | 'type';
  /** The value's type; absent for a missing member. */
  got?: string;
  /** The published types, for `type`. */
  expected?: string;
}

interface Walk {
  shownNames: ReadonlySet<string>;
  add(difference: ShapeDifference): void;
}

const typeLetters = { string: 's', number: 'n', boolean: 'b' } as const;
const typeNamesByLetter: Record<string, string> = { s: 'text', n: 'number', b: 'boolean', '0': 'null' };

/** Returns a key that is equal for equal differences, so that `trueup doctor` reports each once. */
export const keyOfDifference = ({ problem, path, got }: ShapeDifference): string =>
  `${problem} ${path} ${got}`;

/**
 * Returns the places in which an answer is not as published, each once, for the report of `trueup doctor`. `shownNames`: the names of unpublished
 * members that a path may have; any other is `*`.
 */
export function compareWithShape(
  answer: unknown,
  shape: AnswerShape,
  shownNames: ReadonlySet<string>,
): ShapeDifference[] {
  const differences = new Map<string, ShapeDifference>();
  const add = (difference: ShapeDifference) => differences.set(keyOfDifference(difference), difference);
  walk(answer, shape, '', { shownNames, add });
  return [...differences.values()];
}

/** Compares one value and everything in it. Reports a value with an unpublished type, without looking into it. */
function walk(value: unknown, shape: AnswerShape, path: string, context: Walk): void {
  const forms = Array.isArray(shape) && shape.length > 1 ? shape : [shape];
  if (forms.includes('?')) return;
  const members = forms.find(isMembers);
  const list = forms.find(isList);
  if (Array.isArray(value) && list) {
    for (const item of value) walk(item, list[0]!, `${path}[]`, context);
    return;
  }
  if (isObject(value) && members) {
    walkMembers(value, members, path, context);
    return;
  }
  const letter = value === null ? '0' : typeLetters[typeof value as keyof typeof typeLetters];
  const fits =
    letter !== undefined && forms.some((form) => typeof form === 'string' && form.includes(letter));
  if (!fits)
    context.add({
      path,
      problem: 'type',
      got: describeJsonType(value),
      expected: forms.map(describeForm).join(' or '),
    });
}

/**
 * Compares the members of an object in an answer with those that the published API description has, for `doctor`: reports other types, missing members
 * and unpublished ones. In a shape, `name?` is optional, and `*` stands for every name of a map.
 */
function walkMembers(
  object: Record<string, unknown>,
  members: Readonly<Record<string, AnswerShape>>,
  path: string,
  context: Walk,
): void {
  const pathTo = (name: string) => (path === '' ? name : `${path}.${name}`);
  const { '*': free, ...named } = members;
  for (const [name, form] of Object.entries(named)) {
    const isOptional = name.endsWith('?');
    const member = isOptional ? name.slice(0, -1) : name;
    if (Object.hasOwn(object, member)) walk(object[member], form, pathTo(member), context);
    else if (!isOptional) context.add({ path: pathTo(member), problem: 'missing' });
  }
  for (const [name, value] of Object.entries(object)) {
    if (Object.hasOwn(named, name) || Object.hasOwn(named, `${name}?`)) continue;
    if (free !== undefined) walk(value, free, pathTo('*'), context);
    else
      context.add({
        path: pathTo(context.shownNames.has(name) ? name : '*'),
        problem: 'unknown',
        got: describeJsonType(value),
      });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (form: AnswerShape): form is AnswerShape[] => Array.isArray(form);
const isMembers = (form: AnswerShape): form is { [member: string]: AnswerShape } => isObject(form);

/** Returns a value's type in the words of the report. */
function describeJsonType(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** Returns the types that a published form allows, in the words of the report. */
function describeForm(form: AnswerShape): string {
  if (isList(form)) return 'list';
  if (isMembers(form)) return 'object';
  return [...form].map((letter) => typeNamesByLetter[letter]).join(' or ');
}
