/*
 * Two sets of member names, for reports about answers:
 *
 *   - the names that a report may show. A name in an answer can be that of a project or a variable of the user, so a report shows only
 *     names that stand in the source of trueup or in the published description of the API.
 *   - the names that kinds read. A difference in any other member cannot lead to a wrong plan.
 */
import { listItemsOf } from '../kind/define-kind.ts';
import type { AnswerShape, Fact } from '../kind/evidence.ts';
import type { Kind } from '../kind/kind.ts';
import { isObjectValue } from '../model/value.ts';

/**
 * Returns the member names that stand in the source of trueup: in backticks in statements of facts, and in
 * `undeclared` of kinds (unpublished members that a kind knows). A report may show an unpublished name only if it
 * is one of these, because any other may be that of a project or a variable.
 */
export function namesInSource(facts: readonly Fact[], kinds: readonly Kind[]): Set<string> {
  const quoted = facts.flatMap(({ statement }) =>
    [...statement.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!),
  );
  const undeclared = kinds.flatMap((kind) => kind.undeclared ?? []);
  return new Set([...quoted, ...undeclared].flatMap((path) => path.split('.')));
}

/**
 * Returns the names of the members that a kind (object type) reads from an answer: its fields, settings outside of them
 * (`undeclared`, `read.facts`), and the members with the identity, version, last change and deletion of an object.
 * `trueup doctor` asks for them, because differences in other members do not affect plans.
 */
export const membersReadBy = ({ fields, undeclared = [], read, id, key }: Kind): string[] => [
  ...Object.keys(fields),
  ...[...undeclared, ...(read.facts ?? [])].map((path) => path.split('.')[0]!),
  ...key,
  ...[id ?? 'id', read.updatedAt, read.version, read.deletedMark].filter((name) => typeof name === 'string'),
];

/** Returns the names of the lists that a kind reads from an answer. */
export const listsReadBy = ({ read }: Kind): string[] =>
  [listItemsOf(read) ?? []].flat().filter((name) => typeof name === 'string');

/**
 * Creates a test for places in an answer, such as `projects[].link`, with which `trueup doctor` tells whether a difference between an
 * answer and the published API matters. It is true for a place that one of the `readers` may read: the whole answer, a list of theirs, or a
 * member with the name of one of theirs on its path. Only differences at such places can lead to wrong plans.
 */
export function createReadTest(readers: readonly Kind[]): (path: string) => boolean {
  const members = new Set(readers.flatMap(membersReadBy));
  const lists = new Set(readers.flatMap(listsReadBy));
  return (path) => path === '' || lists.has(path) || path.split(/[.[\]]+/).some((name) => members.has(name));
}

/**
 * True if every answer has a member at this path (`projects[].link`) according to its published form; false for a path that is not
 * published. `doctor --calibrate` asks it, because the absence of another member depends on the state of an object and says nothing.
 */
export function isRequiredAt(shape: AnswerShape | undefined, path: string): boolean {
  let form = shape;
  // `projects[].link` has the steps `projects`, `[]` and `link`. The form calls an optional member `link?`, so it is not found here.
  for (const step of path.split('.').flatMap((part) => part.split(/(?=\[\])/))) {
    if (step === '[]') form = Array.isArray(form) && form.length === 1 ? form[0] : undefined;
    else if (isObjectValue(form) && Object.hasOwn(form, step)) form = form[step] as AnswerShape;
    else return false;
  }
  return true;
}

/**
 * Returns the names of all members in the published form of an answer, which the report of `trueup doctor` may show. Undefined if some of
 * its members have free names (`*`), or any form (a type text with `?`): the name of an object could then equal a published one. A list has
 * the form of its items, or alternatives.
 */
export function namesInShape(shape: AnswerShape): string[] | undefined {
  if (typeof shape === 'string') return shape.includes('?') ? undefined : [];
  const parts = Array.isArray(shape) ? shape : Object.values(shape);
  const inner = parts.map(namesInShape);
  const ownNames = isObjectValue(shape) ? Object.keys(shape).map((name) => name.replace(/\?$/, '')) : [];
  if (ownNames.includes('*') || inner.includes(undefined)) return undefined;
  return [...ownNames, ...inner.flatMap((names) => names ?? [])];
}
