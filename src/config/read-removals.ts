/**
 * Reads `removed:` of the header, which says what happens to objects whose blocks are gone. `src/model/removal.ts` explains the entries.
 */
import { normalAddressGlob } from '../kind/address-spelling.ts';
import { canDo } from '../kind/define-kind.ts';
import { findAddressKind } from '../kind/find-address-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { ancestorsAmong } from '../model/address.ts';
import { type Diagnostic, problem, type Reporter } from '../model/diagnostic.ts';
import { createRemovalFinder } from '../model/find-removal.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { formatRemoval, type Removal } from '../model/removal.ts';
import type { Resource } from '../model/resource.ts';
import type { Expand } from './expressions/expand.ts';
import type { ExpressionScope } from './expressions/scope.ts';
import { evaluateWhen } from './layers/each-and-when.ts';
import { hintFor, quoted } from './suggest.ts';
import {
  containsReportedProblem,
  isText,
  itemsOrSelf,
  type MapNode,
  maskUnread,
  memberOf,
  type Node,
  reportType,
} from './yaml/nodes.ts';
import { positionOf } from './yaml/source.ts';

const exampleEntry = 'removed: [{ at: projects/old, delete: true, objects: 15 }]';
const removalKeys = ['at', 'delete', 'objects', '$when'];

/** How the entries are read. */
interface RemovalContext {
  kinds: Kinds;
  /** The names of all stages of the configuration. */
  stages: readonly string[];
  scope: ExpressionScope;
  expand: Expand;
  report: Reporter;
}

/**
 * Reads the entries of `removed:`, which say what happens to objects whose blocks are gone. Reports mistakes, and leaves out the entries
 * that have some, and those that `$when` switches off. Whether their objects are still declared is known only later (`checkRemovals`).
 */
export function readRemovals(value: Node, context: RemovalContext): Removal[] {
  const { expand, report } = context;
  const list = value.type === 'list' ? value : expand(value);
  if (list.type !== 'list') {
    if (!containsReportedProblem(list)) reportType(report, list, '`removed` must be a list', exampleEntry);
    return [];
  }
  const enabled = expand({ ...list, items: list.items.filter((item) => isEnabled(item, context)) });
  const items = enabled.type === 'list' ? enabled.items : [];
  return items.flatMap((item) => (containsReportedProblem(item) ? [] : (readEntry(item, context) ?? [])));
}

/** True unless the `$when` of an entry switches it off. The values of such an entry are masked, since no reader looks at them. */
function isEnabled(item: Node, context: RemovalContext): boolean {
  const when = memberOf(item, '$when');
  if (when) checkStages(when, context);
  const enabled = when === undefined || evaluateWhen(when, context);
  if (!enabled) maskUnread(item);
  return enabled;
}

/**
 * Reports the names in the `$when` of an entry that are no stages. An entry for a stage that does not exist would never count, and its
 * object would be released instead of deleted. A `$when` elsewhere is not checked: configurations with other stages may share it.
 */
function checkStages(when: Node, { stages, expand, report }: RemovalContext): void {
  const condition = memberOf(when, 'stage');
  if (!condition || stages.length === 0) return;
  for (const node of itemsOrSelf(memberOf(condition, 'not') ?? condition)) {
    const name = expand(node);
    if (name.type !== 'scalar' || containsReportedProblem(name) || stages.includes(name.text)) continue;
    report.error('removed/entry', `there is no stage ${quoted(name.text)}`, {
      at: node,
      hint: hintFor(name.text, stages, 'the stages'),
    });
  }
}

/**
 * Reads one entry of `removed:`, such as `{ at: projects/old, delete: true, objects: 15 }`. With it, a user who has removed the block of an
 * object says whether apply deletes the object or leaves it in the account. Returns undefined after a report.
 */
function readEntry(item: Node, { kinds, report }: RemovalContext): Removal | undefined {
  if (item.type !== 'map')
    return reportType(report, item, 'an entry of `removed` must be a map', exampleEntry);
  const unknown = item.entries.filter(({ key }) => !removalKeys.includes(key.text));
  // An unknown key is probably the missing one under another name, so that its report is enough.
  const isMisnamed = unknown.length > 0 && ['at', 'delete'].some((name) => !memberOf(item, name));
  for (const { key } of unknown)
    report.error('config/unknown-key', `an entry of \`removed\` has no ${quoted(key.text)}`, {
      at: key,
      hint: isMisnamed ? exampleEntry : hintFor(key.text, removalKeys),
    });
  if (isMisnamed) return undefined;
  const subject = readAddress(item, kinds, report);
  const deletes = readDelete(item, subject, report);
  const maxObjects = readMaxObjects(item, deletes, report);
  if (!subject || deletes === undefined || maxObjects === 'invalid' || unknown.length > 0) return undefined;
  const { address, kind } = subject;
  return { address, kind: kind.name, deletes, objects: maxObjects, at: positionOf(item.at) };
}

/** The object that an entry names. */
interface NamedObject {
  address: string;
  kind: Kind;
}

/** Reads `at` of an entry of `removed:`, the address of one object, in its normal spelling. Returns undefined after a report. */
function readAddress(entry: MapNode, kinds: Kinds, report: Reporter): NamedObject | undefined {
  const node = memberOf(entry, 'at');
  if (!node || !isText(node) || node.text === '')
    return report.error('removed/entry', 'an entry of `removed` needs `at`, the address of an object', {
      at: node ?? entry,
      hint: exampleEntry,
    });
  // A glob could name several objects.
  if (/[*?[\]{}()!,]/.test(node.text))
    return report.error('removed/entry', `${quoted(node.text)} is not the address of one object`, {
      at: node,
      hint: 'write an entry for each object; an entry for a project or a domain includes its contents',
    });
  const address = normalAddressGlob(node.text, kinds);
  const kind = findAddressKind(address, kinds);
  if (!('message' in kind)) return { address, kind };
  const suggestion = kind.validSections.length > 0 ? hintFor(kind.name, kind.validSections) : undefined;
  return report.error('removed/entry', `there cannot be an object ${quoted(node.text)}: ${kind.message}`, {
    at: node,
    hint: suggestion ?? 'an address has sections and names in turn, such as `projects/web/env/TOKEN`',
  });
}

/**
 * Reads `delete` of an entry of `removed:`: true if the object is deleted, false if it stays in the account. Returns undefined after a
 * report.
 */
function readDelete(entry: MapNode, subject: NamedObject | undefined, report: Reporter): boolean | undefined {
  const node = memberOf(entry, 'delete');
  if (node?.type !== 'scalar' || typeof node.value !== 'boolean')
    return report.error('removed/entry', 'an entry of `removed` needs `delete: true` or `delete: false`', {
      at: node ?? entry,
      hint: '`true` deletes the object; with `false` it stays in the account, and is not managed any more',
    });
  if (node.value && subject && !canDo(subject.kind, 'delete'))
    return report.error(
      'removed/impossible',
      `${subject.address} cannot be deleted: the platform has no request that deletes a ${subject.kind.name}`,
      { at: node, hint: 'write `delete: false`: trueup then stops managing it' },
    );
  return node.value;
}

/**
 * Reads `objects` of an entry of `removed:`: the most objects that it may delete, counting the object at its address. Undefined if the
 * entry has no `objects`: its deletions then count for the usual limits. Returns `invalid` after a report.
 */
function readMaxObjects(
  entry: MapNode,
  deletes: boolean | undefined,
  report: Reporter,
): number | undefined | 'invalid' {
  const node = memberOf(entry, 'objects');
  if (!node) return undefined;
  const number = node.type === 'scalar' ? node.value : undefined;
  const isCount = typeof number === 'number' && Number.isInteger(number) && number >= 1;
  if (isCount && deletes !== false) return number;
  report.error(
    'removed/entry',
    isCount
      ? '`objects` has no effect with `delete: false`, which deletes nothing'
      : '`objects` must be the number of objects that are deleted, with the one at `at`: 1 or more',
    { at: node, hint: isCount ? 'remove `objects`' : exampleEntry },
  );
  return 'invalid';
}

/**
 * Returns a problem for each entry of `removed:` that contradicts a block or another entry. Called when all blocks are read. An object that
 * is both declared and removed could mean either, so it is refused instead of deleted.
 */
export function checkRemovals(
  removals: readonly Removal[],
  resources: ReadonlyMap<string, Resource>,
): Diagnostic[] {
  if (removals.length === 0) return [];
  return [...findRepeated(removals), ...findDeclared(removals, resources)];
}

/**
 * Returns the problems of entries of `removed:` that contradict each other: two for the same address, or one that keeps an object inside a
 * deleted one.
 */
function findRepeated(removals: readonly Removal[]): Diagnostic[] {
  const firstByAddress = new Map<string, Removal>();
  const deleting = new Map(
    removals.flatMap((removal) => (removal.deletes ? [[removal.address, removal]] : [])),
  );
  return removals.flatMap((removal): Diagnostic | [] => {
    const { address, deletes } = removal;
    const first = firstByAddress.get(address);
    if (first) return repeatedProblem(removal, first);
    firstByAddress.set(address, removal);
    const [enclosingAddress] = deletes ? [] : ancestorsAmong(address, deleting);
    return enclosingAddress === undefined ? [] : keptInsideProblem(removal, deleting.get(enclosingAddress)!);
  });
}

/** Returns the problem of a second entry of `removed:` for one address. */
const repeatedProblem = ({ address, at }: Removal, first: Removal): Diagnostic =>
  problem('config/duplicate', `${address} is in \`removed\` twice`, {
    at,
    address,
    hint: 'keep one of the two',
    related: [{ message: 'the first one', at: first.at }],
  });

/** Returns the problem of an entry of `removed:` that keeps an object inside another one (`enclosing`) that is deleted. */
const keptInsideProblem = ({ address, at }: Removal, enclosing: Removal): Diagnostic =>
  problem('removed/inside', `${address} cannot stay: ${enclosing.address} is deleted with everything in it`, {
    at,
    address,
    hint: `drop this entry, or write \`${formatRemoval({ address: enclosing.address, deletes: false })}\` to keep both`,
    related: [{ message: 'the entry around it', at: enclosing.at }],
  });

/**
 * Returns a problem for each entry of `removed:` whose object, or an object in it, is still declared, so that nothing is deleted that a
 * block asks for. Each names the place of the first such block.
 */
function findDeclared(removals: readonly Removal[], resources: ReadonlyMap<string, Resource>): Diagnostic[] {
  const findRemoval = createRemovalFinder(removals);
  const reported = new Set<Removal>();
  return [...resources.values()].flatMap((resource) => {
    const removal = findRemoval(resource.address);
    if (!removal || reported.has(removal)) return [];
    reported.add(removal);
    const declared = addressWithoutTarget(resource.address);
    return [
      problem('removed/declared', `${declared} is declared, but \`removed\` has ${removal.address}`, {
        at: removal.at,
        address: removal.address,
        hint: resource.meta.existing
          ? 'drop this entry: with `$existing`, the object is not managed here, and stays'
          : 'remove the block, or drop this entry to keep managing the object',
        related: [{ message: 'the block', at: resource.at }],
      }),
    ];
  });
}
