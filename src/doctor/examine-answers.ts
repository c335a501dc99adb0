import { listItemsOf } from '../kind/define-kind.ts';
import type { AnswerShape, Evidence, Fact, FactVerdict, ObservedAnswer } from '../kind/evidence.ts';
import type { Kind } from '../kind/kind.ts';
import { isObjectValue } from '../model/value.ts';

/** A difference, and whether a kind reads the member. Only differences in members that kinds read can lead to wrong plans. */
export interface JudgedDifference extends ShapeDifference {
  isRead: boolean;
}

/** What the answers to one operation have shown. */
export interface OperationFindings {
  operation: string;
  /** The number of answers by status. */
  statuses: Record<string, number>;
  differences: JudgedDifference[];
  /** Whether answers state the rate limit in their headers. */
  rateLimit: 'stated' | 'absent';
  /** `followed`: further pages were read. `ignored`: an answer names a further page, but the operation is not known to have pages. */
  pages: 'one' | 'followed' | 'ignored';
}

/** Collects what answers show, one answer at a time, and keeps none of them. */
export interface AnswerExaminer {
  examine(answer: ObservedAnswer): void;
  operations(): OperationFindings[];
  /** The facts that answers confirmed or contradicted, by id. */
  verdicts(): Map<string, NonNullable<FactVerdict>>;
}

/**
 * Creates the examiner of all answers of one `trueup doctor`. `readersOf`: the kinds that read an operation; the names of their fields are the
 * members that they read.
 */
export function createAnswerExaminer(
  { facts, shapes, paged }: Evidence,
  kinds: readonly Kind[],
  readersOf: (operation: string) => readonly Kind[],
): AnswerExaminer {
  const shownNames = namesInSource(facts, kinds);
  const operations = new Map<string, OperationFindings>();
  const verdicts = new Map<string, NonNullable<FactVerdict>>();

  const compare = ({ operation, body }: ObservedAnswer): JudgedDifference[] => {
    const shape = shapes[operation];
    if (shape === undefined) return [];
    const readers = readersOf(operation);
    const memberNames = new Set(readers.flatMap(membersReadBy));
    const lists = new Set(readers.flatMap(listsReadBy));
    const isReadMember = (path: string) =>
      path === '' || lists.has(path) || path.split(/[.[\]]+/).some((name) => memberNames.has(name));
    const differences = compareWithShape(body, shape, new Set([...shownNames, ...memberNames]));
    return differences.flatMap((difference) => {
      const { path, problem } = difference;
      if (problem !== 'unknown') return { ...difference, isRead: isReadMember(path) };
      // A kind reads some members that are not published.
      return memberNames.has(path.split('.').at(-1)!) ? [] : { ...difference, isRead: false };
    });
  };

  return {
    examine(answer) {
      const { operation, status } = answer;
      const isSuccess = status >= 200 && status < 300;
      const before = operations.get(operation);
      const earlierDifferences = before?.differences ?? [];
      const earlierKeys = new Set(earlierDifferences.map(keyOfDifference));
      // An answer that is not JSON is a failed read, not an answer in another form.
      const differences = isSuccess && answer.body !== undefined ? compare(answer) : [];
      operations.set(operation, {
        operation,
        statuses: { ...before?.statuses, [status]: (before?.statuses[status] ?? 0) + 1 },
        differences: [
          ...earlierDifferences,
          ...differences.filter((difference) => !earlierKeys.has(keyOfDifference(difference))),
        ],
        rateLimit:
          answer.headers['x-ratelimit-limit'] === undefined ? (before?.rateLimit ?? 'absent') : 'stated',
        pages: namesNextPage(answer.body)
          ? paged.has(operation)
            ? 'followed'
            : 'ignored'
          : (before?.pages ?? 'one'),
      });
      for (const { id, operations: about, answer: judge } of facts) {
        if (!judge || (about.length > 0 && !about.includes(operation))) continue;
        const verdict = judge(answer);
        // One answer against a fact outweighs all answers for it.
        if (verdict && verdicts.get(id) !== 'contradicted') verdicts.set(id, verdict);
      }
    },
    operations: () => [...operations.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1)),
    verdicts: () => verdicts,
  };
}

/**
 * Returns the names of members that the source of trueup has: in backticks in statements of facts, and in `undeclared` of kinds. A report may show the
 * name of an unpublished member only if it is one of these, because any other may be that of a project, of a variable or of another object.
 */
function namesInSource(facts: readonly Fact[], kinds: readonly Kind[]): Set<string> {
  const quoted = facts.flatMap(({ statement }) =>
    [...statement.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!),
  );
  const undeclared = kinds.flatMap((kind) => kind.undeclared ?? []);
  return new Set([...quoted, ...undeclared].flatMap((path) => path.split('.')));
}

/** Returns the names of the members that a kind reads from an answer: fields, settings that it sees, and the members that identify an object. */
const membersReadBy = ({ fields, undeclared = [], read, id, key }: Kind): string[] => [
  ...Object.keys(fields),
  ...undeclared.map((path) => path.split('.')[0]!),
  ...(read.facts ?? []),
  ...key,
  ...[id ?? 'id', read.updatedAt, read.version, read.deletedMark].filter((name) => typeof name === 'string'),
];

/** Returns the names of the lists that a kind reads from an answer. */
const listsReadBy = ({ read }: Kind): string[] =>
  [listItemsOf(read) ?? []].flat().filter((name) => typeof name === 'string');

/** True if an answer names a further page in one of the ways of the platform: `pagination.next`, or a cursor. */
function namesNextPage(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { pagination, cursor, nextCursor } = body as Record<string, unknown>;
  const next = (pagination as { next?: unknown } | null | undefined)?.next;
  return [next, cursor, nextCursor].some((value) => value !== undefined && value !== null && value !== '');
}

/*
 * Compares an answer of the platform with its published form.
 *
 * The result has paths and types, never values. Members with free names, such as the keys of a map, and unpublished members are `*` in a path, because
 * their names can come from a user or be secret: the platform has bypass secrets as keys. `[]` stands for any item of a list.
 */
/** One place in which an answer is not as published. */
interface ShapeDifference {
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
const keyOfDifference = ({ problem, path, got }: ShapeDifference): string => `${problem} ${path} ${got}`;

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
  if (isObjectValue(value) && members) {
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

const isList = (form: AnswerShape): form is AnswerShape[] => Array.isArray(form);
const isMembers = (form: AnswerShape): form is { [member: string]: AnswerShape } => isObjectValue(form);

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
