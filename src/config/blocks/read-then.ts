/**
 * Reads `$then`: the actions that run after changes of a block, such as a deployment.
 *
 * An item is the name of an action (`redeploy`), or a map of it to its input, with options beside it:
 *
 *   - redeploy: { target: production }
 *     when: [env]        only after changes of these fields or sections
 *     drift: true        also after changes that only correct drift
 *     wait: { minutes: 5 }
 *
 * An action that is about a kind (`on`) is about the block itself, the ancestor of that kind, or the objects that the input names.
 */

import type * as z from 'zod';
import type { Action } from '../../kind/action.ts';
import { comparedFields } from '../../kind/compare.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf } from '../../kind/traits.ts';
import { addressOf, escapeName, globOf } from '../../model/address.ts';
import { globHint } from '../../model/glob-syntax.ts';
import { appendAll } from '../../model/graph.ts';
import { type ActionRule, longestWait } from '../../model/resource.ts';
import { type Fields, holdsSecret, type Value } from '../../model/value.ts';
import { dropUndefined } from '../../model/walk.ts';
import { isGlob } from '../expressions/inspect-node.ts';
import { checkField } from '../fields/read-fields.ts';
import { readValue } from '../fields/read-value.ts';
import { createReading, type FieldProblem, type FieldReading, type Resolver } from '../fields/reading.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  containsReportedProblem,
  describeNodeType,
  type Entry,
  entriesOf,
  hasReportedProblem,
  isNull,
  maskNode,
  memberOf,
  type Node,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import { type Block, nearestOfKind } from './block.ts';
import { readMinutes, readTextList } from './meta-readers.ts';

/** The parts of the configuration outside a `$then` that reading it needs. */
export interface ThenContext {
  block: Block;
  kinds: Kinds;
  /** All actions, by name. */
  actions: ReadonlyMap<string, Action>;
  /** The child sections of the block, which `when` may name. */
  sections: string[];
  resolver: Resolver;
  /**
   * Returns whether a glob matches declared resources of a kind, or the error in the glob. Also `some` if the
   * declarations are not complete yet.
   */
  matchDeclared(kind: Kind, glob: string, at: Spot): 'some' | 'none' | { fault: string };
}

const thenExample = '`[{ redeploy: { target: production } }]`';
/** The keys beside the action in an item. No action has one of these names. */
const optionKeys = ['when', 'drift', 'wait'];

/** All actions, and the reader of a `$then`. Both are loaded only for configurations with a `$then`. */
export interface ActionReader {
  actions: ReadonlyMap<string, Action>;
  read: typeof readThen;
}

/**
 * Reads the value of `$then` and returns its actions. `$then` lists the actions that run after changes of a block,
 * such as a deployment. Adds problems to `fieldProblems`, and leaves out an item with an error.
 */
export function readThen(node: Node, context: ThenContext, fieldProblems: FieldProblem[]): ActionRule[] {
  if (hasReportedProblem(node)) return [];
  if (node.type !== 'list') {
    maskNode(node);
    fieldProblems.push(
      thenProblem(`\`$then\` must be a list of actions, not ${describeNodeType(node)}`, node, thenExample),
    );
    return [];
  }
  return node.items.flatMap((item) =>
    hasReportedProblem(item) ? [] : (readItem(item, context, fieldProblems) ?? []),
  );
}

/**
 * Creates a field problem about a part of `$then`, at its node. All problems with
 * `$then` have the code `config/then`.
 */
const thenProblem = (message: string, node: Node, hint?: string): FieldProblem => ({
  code: 'config/then',
  message,
  hint,
  path: [],
  node,
});

/**
 * Reads one item of `$then`, such as `redeploy` or `{ redeploy: {}, when: [env] }`: an action with its input
 * and options. `apply` runs it after changes of the block. Returns undefined after it added an error to
 * `fieldProblems`.
 */
function readItem(item: Node, context: ThenContext, fieldProblems: FieldProblem[]): ActionRule | undefined {
  const itemProblems: FieldProblem[] = [];
  const rule = readActionRule(item, context, itemProblems);
  appendAll(fieldProblems, itemProblems);
  return itemProblems.every(({ severity }) => severity === 'warning') ? rule : undefined;
}

/**
 * Reads one item of `$then` into a rule: the action, its input, the objects to act on and the options. Adds problems to `itemProblems`.
 * Returns undefined if the item names no single action that `$then` may run. After other errors, parts of the rule are missing, and the
 * caller drops it.
 */
function readActionRule(
  item: Node,
  context: ThenContext,
  itemProblems: FieldProblem[],
): ActionRule | undefined {
  const report: ReportThen = (message, node, hint) => {
    itemProblems.push(thenProblem(message, node, hint));
    return undefined;
  };
  const split = splitItem(item);
  if (!split) {
    maskNode(item);
    return report(
      `an item of \`$then\` must be the name of an action, or a map with one, not ${describeNodeType(item)}`,
      item,
      thenExample,
    );
  }
  const { names, options } = split;
  const [first, second] = names;
  if (!first) return report('this item of `$then` names no action', item, thenExample);
  if (second)
    return report('an item of `$then` can have only one action', second.node, 'split it into two items');
  const action = findAction(first, context.actions, report);
  if (!action) return undefined;
  const input = readActionInput(action, first, context, itemProblems);
  const about = readSubjects(action, first, context, report) ?? [];
  return { action: action.name, input, about, ...readOptions(action, options, context, report) };
}

/**
 * Adds a field problem about a part of `$then`. Returns undefined, so that a reader without a result can `return
 * report(...)`.
 */
type ReportThen = (message: string, node: Node, hint?: string) => undefined;

/**
 * An action as it is named in an item. `node`: its name, for messages. `input`: missing if only the name is written.
 */
interface NamedAction {
  name: string;
  node: Node;
  input?: Node;
}

/**
 * Splits an item of `$then` (the actions that `apply` runs after a change) into its actions and its options, which stand side by side in
 * one map: `{ redeploy: {}, when: [env] }`. Returns undefined if the item is neither a name nor a map. The caller reports items that have
 * not exactly one action.
 */
function splitItem(item: Node): { names: NamedAction[]; options: Entry[] } | undefined {
  if (item.type === 'scalar' && typeof item.value === 'string')
    return { names: [{ name: item.text, node: item }], options: [] };
  if (item.type !== 'map') return undefined;
  const isOption = ({ key }: Entry) => optionKeys.includes(key.text);
  return {
    names: item.entries
      .filter((entry) => !isOption(entry))
      .map(({ key, value }) => ({ name: key.text, node: key, input: value })),
    options: item.entries.filter(isOption),
  };
}

/**
 * Returns the action that an item of `$then` names, for `apply` to run after a change. Returns undefined after it reported that no such
 * action exists, or that it needs a person's decision and so can only be run by hand (`trueup run`).
 */
function findAction(
  { name, node }: NamedAction,
  actions: ReadonlyMap<string, Action>,
  report: ReportThen,
): Action | undefined {
  const action = actions.get(name);
  if (action?.declarable) return action;
  const declarableNames = [...actions.values()]
    .filter(({ declarable }) => declarable)
    .map((declarable) => declarable.name);
  if (!action) {
    const hint = hintFor(name, declarableNames, 'allowed in `$then`');
    return report(`there is no action ${quoted(name)}`, node, hint);
  }
  const hint = `use \`trueup run ${name}\`; allowed in \`$then\`: ${declarableNames.join(', ')}`;
  return report(`${quoted(name)} can only be run by hand: ${reasonByHand(action)}`, node, hint);
}

/**
 * Returns the reason why an action cannot stand in `$then`, for the message that rejects it: it costs money, prints a
 * secret, destroys something, or needs a decision by a person.
 */
function reasonByHand({ cost, shows, grade, why, repeatable, until }: Action): string {
  if (cost !== undefined) return `it costs money: ${cost}`;
  if (shows !== undefined) return 'its response contains a secret';
  if (grade === 'irreversible' || grade === 'destructive') return why!;
  // `until`: the lookup that shows whether the action was done already.
  const isSafeToRepeat = repeatable || until;
  return isSafeToRepeat ? 'a person should decide when' : 'running it twice by mistake could do harm';
}

/**
 * Returns the input of an action in `$then`, read by the schemas of its members, with their defaults. `apply`
 * sends it when it runs the action after a change. `node`: the name of the action, for messages; `inputNode`:
 * the map behind the name. Adds problems to `fieldProblems`.
 */
function readActionInput(
  action: Action,
  { node, input: inputNode }: NamedAction,
  context: ThenContext,
  fieldProblems: FieldProblem[],
): Fields {
  const { name, input } = action;
  if (inputNode && inputNode.type !== 'map' && !isNull(inputNode)) {
    maskNode(inputNode);
    const message = `\`${name}\` must be a map of inputs, not ${describeNodeType(inputNode)}`;
    fieldProblems.push(thenProblem(message, inputNode, inputHint(name, input)));
    return {};
  }
  appendAll(fieldProblems, checkInputNames(action, entriesOf(inputNode)));
  // The lookups in the input are read when the action is sent, so their results may change until then.
  const reading: FieldReading = { ...createReading(context.resolver), allowsMovingLookups: true };
  const fields: Fields = {};
  for (const [field, schema] of Object.entries(input)) {
    const written = memberOf(inputNode, field);
    const result = written
      ? readInputMember(name, { field, schema, node: written }, reading)
      : defaultOfMember(name, { field, schema, node });
    if ('problems' in result) appendAll(fieldProblems, result.problems);
    else if (result.value !== undefined) fields[field] = result.value;
  }
  appendAll(
    fieldProblems,
    // The path leads through the input of the action, not through the fields of the block.
    reading.fieldProblems.map((fieldProblem) => ({ ...fieldProblem, path: [] })),
  );
  return fields;
}

/** A member of the input of an action. `node`: its value; for a member that is not written, the name of the action. */
interface InputMember {
  field: string;
  schema: z.ZodType;
  node: Node;
}

/** The value of a member of the input of an action, undefined if it is optional and not written; or why it has none. */
type MemberResult = { value: Value | undefined } | { problems: FieldProblem[] };

/** Returns the default of a member that an item of `$then` does not write; a problem if it has none and is required. */
function defaultOfMember(action: string, { field, schema, node }: InputMember): MemberResult {
  const parsed = schema.safeParse(undefined);
  if (parsed.success) return { value: parsed.data as Value | undefined };
  return { problems: [thenProblem(`\`${action}\` needs ${quoted(field)}`, node, docOf(schema))] };
}

/**
 * Returns a field problem for each entry in the input of an action that the action does not take.
 * Besides its input, an action takes the objects to act on, under the name of their kind (`on`), as in `{
 * redeploy: { project: [web] } }`. Values of unknown entries are masked, because they may be secrets that a
 * message would quote.
 */
function checkInputNames({ name, on, input }: Action, entries: Entry[]): FieldProblem[] {
  const validNames = [...Object.keys(input), ...(on === undefined ? [] : [on])];
  return entries
    .filter(({ key }) => !validNames.includes(key.text))
    .map(({ key, value }) => {
      maskNode(value);
      const hint = hintFor(key.text, validNames, 'it takes') ?? 'it takes no input';
      return thenProblem(`\`${name}\` takes no ${quoted(key.text)}`, key, hint);
    });
}

/**
 * Returns one member of the input of an action in `$then`, checked by its schema, or its problems. Secrets are refused, because the input
 * is written to the plan and to the ledger.
 */
function readInputMember(
  action: string,
  { field, schema, node }: InputMember,
  reading: FieldReading,
): MemberResult {
  const checked = checkField(field, schema, readValue(schema, node, [field], reading), reading);
  if (!('value' in checked))
    return {
      problems: checked.fieldProblems.map((fieldProblem) => ({ ...fieldProblem, path: [], node })),
    };
  const copiedSecret = reading.copies.find(({ from, path }) => path[0] === field && from.secrecy !== 'open');
  if (!copiedSecret && !holdsSecret(checked.value)) return { value: checked.value as Value };
  const secretProblem = thenProblem(
    `a secret cannot be given to ${quoted(action)}`,
    node,
    'what it is given stands in the plan and in the ledger',
  );
  if (!copiedSecret) return { problems: [secretProblem] };
  const related = [{ message: 'the secret', at: copiedSecret.from.at }];
  return { problems: [{ ...secretProblem, code: 'ref/secret', related }] };
}

/** Returns a hint with the members of the input of an action. */
const inputHint = (name: string, input: Action['input']): string => {
  const names = Object.keys(input);
  return names.length === 0 ? `it takes no input: write just \`${name}\`` : `it takes ${names.join(', ')}`;
};

/**
 * Returns globs of the addresses of the objects that an action in `$then` acts on, such as `projects/web`;
 * `apply` runs the action once for each declared resource that they match. These are the objects that the
 * input names under the action's kind (`{ redeploy: { project: [site-*] } }`), or else the nearest block of
 * this kind, from the block itself upwards. Returns undefined if the action acts on no object, and after a
 * report.
 */
function readSubjects(
  { name, on }: Action,
  { node, input }: NamedAction,
  context: ThenContext,
  report: ReportThen,
): string[] | undefined {
  if (on === undefined) return undefined;
  const kind = context.kinds.get(on)!;
  const subjectNode = memberOf(input, on);
  if (!subjectNode) {
    const block = nearestOfKind(context.block, on);
    if (block) return [globOf(block.address)];
    const form = kind.parent === undefined ? 'NAME' : `${kind.section}/NAME`;
    return report(
      `\`${name}\` acts on a ${on}, but this block is not in one`,
      node,
      `name it: \`{ ${name}: { ${on}: [${form}] } }\``,
    );
  }
  const isOneName = subjectNode.type === 'scalar' && subjectNode.text !== '';
  const subjects = isOneName ? [{ name: subjectNode.text, node: subjectNode }] : readTextList(subjectNode);
  if (containsReportedProblem(subjectNode)) return undefined;
  if (!subjects) return report(`\`${on}\` must be the name of a ${on}, or a list of them`, subjectNode);
  for (const subject of subjects) checkSubject(subject, kind, context, report);
  return subjects.map((subject) => subjectGlob(kind, subject.name));
}

/** Reports the name or glob of objects for an action if no declared resource matches it, because the action would then do nothing. */
function checkSubject(
  { name, node }: { name: string; node: Node },
  kind: Kind,
  { matchDeclared }: ThenContext,
  report: ReportThen,
): void {
  const matches = matchDeclared(kind, subjectGlob(kind, name), node.at);
  if (typeof matches === 'object') report(matches.fault, node, globHint);
  else if (matches === 'none')
    report(
      `no declared ${kind.name} matches ${quoted(name)}`,
      node,
      `declare it, with \`$existing: true\` if another configuration owns it`,
    );
}

/**
 * Returns the glob of addresses for an object on which an action in `$then` acts, from the text that names it (`web`, `site-*`,
 * `projects/web`). A kind at the top level can be named by its plain name or a glob of names, any other kind only by its address.
 */
function subjectGlob({ section, parent }: Kind, text: string): string {
  const isTopLevel = parent === undefined;
  const isAddress = text.startsWith(`${section}/`);
  if (!isTopLevel || isAddress) return text;
  // The name is escaped once as a part of an address, and once as a glob that matches only itself.
  return addressOf(undefined, section, [isGlob(text) ? text : globOf(escapeName(text))]);
}

/**
 * Reads the options beside an action in `$then`, which say when `apply` runs it: `when` (only after changes of these fields or sections),
 * `drift` (also after changes that only correct drift) and `wait` (how long to wait for the action). Reports problems, and leaves out an
 * option with a problem.
 */
function readOptions(
  action: Action,
  options: Entry[],
  { block, sections }: ThenContext,
  report: ReportThen,
): Pick<ActionRule, 'when' | 'drift' | 'wait'> {
  const rule: Pick<ActionRule, 'when' | 'drift' | 'wait'> = {};
  for (const option of options) {
    const { key, value } = option;
    if (containsReportedProblem(value)) continue;
    if (key.text === 'when') rule.when = readWhen(value, block.kind, sections, report);
    else if (key.text === 'drift') rule.drift = readDrift(value, report);
    else rule.wait = readWait(option, action, report);
  }
  return dropUndefined(rule);
}

/** Reads the option `drift` of an action. Undefined if it is false, which means the same as no option, and after a report. */
function readDrift(node: Node, report: ReportThen): true | undefined {
  if (node.type !== 'scalar' || typeof node.value !== 'boolean')
    return report('`drift` must be true or false', node);
  return node.value || undefined;
}

/**
 * Reads the option `wait` of an action, in minutes; undefined after a report. `until`: the lookup that shows whether the action has
 * finished.
 */
function readWait({ key, value }: Entry, { name, until }: Action, report: ReportThen): number | undefined {
  if (!until)
    return report(
      `\`${name}\` finishes with its response: there is nothing to wait for`,
      key,
      'remove `wait`',
    );
  const minutes = readMinutes(value);
  const expected = `\`{ minutes: N }\`, a whole number from 1 to ${longestWait}`;
  return minutes ?? report(`\`wait\` must be ${expected}`, value);
}

/**
 * Returns the fields and sections in the option `when` of an action in `$then`; `apply` runs the action only after a change of one of
 * them. Reports unknown names and an empty list. Returns undefined, after a report, if the value is no list of texts.
 */
function readWhen(node: Node, kind: Kind, sections: string[], report: ReportThen): string[] | undefined {
  const names = readTextList(node);
  if (!names || names.length === 0) report('`when` must be a list of fields and sections', node);
  const fields = Object.keys({ ...kind.fields, ...comparedFields(kind) });
  const validNames = [...new Set([...fields, ...sections])];
  for (const { name, node } of names ?? [])
    if (!validNames.includes(name))
      report(`a ${kind.name} has no field or section ${quoted(name)}`, node, hintFor(name, validNames));
  return names?.map(({ name }) => name);
}
