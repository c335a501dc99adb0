import type { AnswerShape, Evidence, ObservedAnswer } from '../kind/evidence.ts';
import type { Kind } from '../kind/kind.ts';
import { jsonTypeOf } from '../kind/require-type.ts';
import { isObjectValue } from '../model/value.ts';
import { createFactJudge, type FactJudge } from './fact-findings.ts';
import { createReadTest, membersReadBy, namesInSource } from './shown-names.ts';

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
  verdicts: FactJudge['verdicts'];
}

/**
 * Creates the examiner to which `trueup doctor` gives each answer of the platform. It compares the answers with their published form
 * (`shapes`) and with what this version of trueup takes for true about the platform (`facts`), and keeps none of them. `readersOf`: the
 * kinds (object types) that read an operation; only differences in members that they read can lead to wrong plans.
 */
export function createAnswerExaminer(
  { facts, shapes, paged }: Evidence,
  kinds: readonly Kind[],
  readersOf: (operation: string) => readonly Kind[],
): AnswerExaminer {
  const shownNames = namesInSource(facts, kinds);
  const operations = new Map<string, OperationFindings>();
  const { judge, verdicts } = createFactJudge(facts);
  return {
    examine(answer) {
      const { operation, status, body } = answer;
      const shape = shapes[operation];
      const isSuccess = status >= 200 && status < 300;
      // An answer that is not JSON is a failed read, not an answer in another form.
      const isComparable = isSuccess && body !== undefined && shape !== undefined;
      const differences = isComparable ? judgeAnswer(body, shape, readersOf(operation), shownNames) : [];
      const before = operations.get(operation);
      operations.set(operation, addToFindings(before, answer, differences, paged.has(operation)));
      judge(answer);
    },
    operations: () => [...operations.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1)),
    verdicts,
  };
}

/**
 * Returns the differences of an answer from its published form (`shape`), each with whether a kind reads the member. Leaves out unpublished
 * members that a kind reads: trueup knows about them. `readers`: the kinds that read the operation. `shownNames`: see `compareWithShape`.
 */
function judgeAnswer(
  body: unknown,
  shape: AnswerShape,
  readers: readonly Kind[],
  shownNames: ReadonlySet<string>,
): JudgedDifference[] {
  const memberNames = new Set(readers.flatMap(membersReadBy));
  const isRead = createReadTest(readers);
  const differences = compareWithShape(body, shape, new Set([...shownNames, ...memberNames]));
  return differences.flatMap((difference) => {
    const { path, problem } = difference;
    if (problem !== 'unknown') return { ...difference, isRead: isRead(path) };
    return memberNames.has(path.split('.').at(-1)!) ? [] : { ...difference, isRead: false };
  });
}

/**
 * True if an answer says that there is a further page, in one of the ways of the platform: `pagination.next`, or a
 * cursor. `trueup doctor` reports an answer whose further pages would be missed.
 */
function namesNextPage(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { pagination, cursor, nextCursor } = body as Record<string, unknown>;
  const next = (pagination as { next?: unknown } | null | undefined)?.next;
  return [next, cursor, nextCursor].some((value) => value !== undefined && value !== null && value !== '');
}

/**
 * Returns the findings of `trueup doctor` about one operation of the API, with those of a further answer added: the number of answers by
 * status, new differences from the published form, whether a rate limit was stated, and whether further pages were read. `isPaged`: true if
 * trueup reads further pages of this operation.
 */
function addToFindings(
  before: OperationFindings | undefined,
  { operation, status, headers, body }: ObservedAnswer,
  differences: readonly JudgedDifference[],
  isPaged: boolean,
): OperationFindings {
  const earlierDifferences = before?.differences ?? [];
  const earlierKeys = new Set(earlierDifferences.map(keyOfDifference));
  const newDifferences = differences.filter((difference) => !earlierKeys.has(keyOfDifference(difference)));
  const pagesAfterNext = isPaged ? 'followed' : 'ignored';
  return {
    operation,
    statuses: { ...before?.statuses, [status]: (before?.statuses[status] ?? 0) + 1 },
    differences: [...earlierDifferences, ...newDifferences],
    rateLimit: headers['x-ratelimit-limit'] === undefined ? (before?.rateLimit ?? 'absent') : 'stated',
    pages: namesNextPage(body) ? pagesAfterNext : (before?.pages ?? 'one'),
  };
}

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
 * Returns the places in which an answer is not as published, each once, for the report of `trueup doctor`. `shape`:
 * the published form. `shownNames`: the names of unpublished members that the report may show; any other is `*`,
 * because it may be the name of an object.
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

/**
 * Compares one value of an answer, and everything in it, with its published form, for the report of `trueup
 * doctor`. A form is a text with a letter for each allowed type (`s`, `n`, `b`, `0` for null; `?`: any), an object of
 * forms, or a list with one form, that of its items; a longer list has alternative forms. A value with an unpublished
 * type is reported and not looked into.
 */
function walk(value: unknown, shape: AnswerShape, path: string, context: Walk): void {
  const forms = Array.isArray(shape) && shape.length > 1 ? shape : [shape];
  if (forms.includes('?')) return;
  const members = forms.find(isMembers);
  const list = forms.find(isList);
  if (Array.isArray(value) && list) for (const item of value) walk(item, list[0]!, `${path}[]`, context);
  else if (isObjectValue(value) && members) walkMembers(value, members, path, context);
  else if (!isAllowedType(value, forms)) {
    const expected = forms.map(describeForm).join(' or ');
    context.add({ path, problem: 'type', got: jsonTypeOf(value), expected });
  }
}

/** True if one of the published forms allows a value such as a text, a number, a boolean or null. */
function isAllowedType(value: unknown, forms: readonly AnswerShape[]): boolean {
  const letter = value === null ? '0' : typeLetters[typeof value as keyof typeof typeLetters];
  return letter !== undefined && forms.some((form) => typeof form === 'string' && form.includes(letter));
}

/**
 * Compares the members of an object in an answer with those that the published API description has, for `trueup
 * doctor`: reports other types, missing members and unpublished ones. In the description (`members`), `name?` is
 * optional, and `*` stands for every name of a map.
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
  const isNamed = (name: string) => Object.hasOwn(named, name) || Object.hasOwn(named, `${name}?`);
  const otherMembers = Object.entries(object).filter(([name]) => !isNamed(name));
  for (const [name, value] of otherMembers)
    if (free !== undefined) walk(value, free, pathTo('*'), context);
    else {
      const shownName = context.shownNames.has(name) ? name : '*';
      context.add({ path: pathTo(shownName), problem: 'unknown', got: jsonTypeOf(value) });
    }
}

const isList = (form: AnswerShape): form is AnswerShape[] => Array.isArray(form);
const isMembers = (form: AnswerShape): form is { [member: string]: AnswerShape } => isObjectValue(form);

/**
 * Returns the types that the published form of a value allows, in the words of the report of `trueup doctor`:
 * `list`, `object`, `text or null`.
 */
function describeForm(form: AnswerShape): string {
  if (isList(form)) return 'list';
  if (isMembers(form)) return 'object';
  return [...form].map((letter) => typeNamesByLetter[letter]).join(' or ');
}
