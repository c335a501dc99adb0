import type { Action } from '../../kind/action.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { docOf } from '../../kind/traits.ts';
import { addressOf, escapeName, globOf } from '../../model/address.ts';
import { globHint } from '../../model/glob-syntax.ts';
import { type ActionRule, longestWait } from '../../model/resource.ts';
import { type Fields, holdsSecret, type Value } from '../../model/value.ts';
import { checkField } from '../fields/read-fields.ts';
import { readValue } from '../fields/read-value.ts';
import type { FieldReading, Finding, Resolver } from '../fields/reading.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describe, type Entry, isPoisoned, maskNode, type Node } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { Block } from './block.ts';
import { readMinutes, readTextList } from './meta-readers.ts';

/** The input for `$then` beside its block. */
export interface ThenContext {
  block: Block;
  kinds: Kinds;
  /** All actions, by name. */
  actions: ReadonlyMap<string, Action>;
  /** All sections that may stand in the block. */
  sections: string[];
  resolver: Resolver;
  /** Tells if a glob at a place matches declared resources of a kind, or what is wrong with it. `some` if not all of them are known yet. */
  matchDeclared(kind: Kind, glob: string, at: Spot): 'some' | 'none' | { fault: string };
}

const thenExample = '`[{ redeploy: { target: production } }]`';
/** The keys beside the action in an item. No action has one of these names. */
const optionKeys = ['when', 'drift', 'wait'];

/** All actions, and what reads a `$then` of them: loaded where there is one. */
export interface ActionReader {
  actions: ReadonlyMap<string, Action>;
  read: typeof readThen;
}

/** Reads `$then`: a list of actions, each by its name alone or as a map of it to its input. What is wrong is added to `findings`. */
export function readThen(node: Node, context: ThenContext, findings: Finding[]): ActionRule[] {
  if (isPoisoned(node)) return [];
  if (node.type !== 'list') {
    maskNode(node);
    findings.push(wrong(`\`$then\` must be a list of actions, not ${describe(node)}`, node, thenExample));
    return [];
  }
  return node.items.flatMap((item) => (isPoisoned(item) ? [] : (readItem(item, context, findings) ?? [])));
}

const wrong = (message: string, node: Node, hint?: string): Finding => ({
  code: 'config/then',
  message,
  ...(hint === undefined ? {} : { hint }),
  path: [],
  node,
});

function readItem(item: Node, context: ThenContext, findings: Finding[]): ActionRule | undefined {
  const say = (message: string, node: Node, hint?: string): undefined =>
    void findings.push(wrong(message, node, hint));
  const named = namedIn(item);
  if (!named) {
    maskNode(item);
    return say(
      `an item of \`$then\` must be the name of an action, or a map with one, not ${describe(item)}`,
      item,
      thenExample,
    );
  }
  const { names, options } = named;
  const [first, second] = names;
  if (!first) return say('this item of `$then` names no action', item, thenExample);
  if (second)
    return say('an item of `$then` can have only one action', second.node, 'split it into two items');
  const action = declarable(first.name, first.node, context.actions, say);
  if (!action) return undefined;
  const before = findings.length;
  const input = readInput(action, first, context, findings);
  const about = readAbout(action, first, context, say);
  const rest = readOptions(action, options, context, say);
  return findings.slice(before).every(({ severity }) => severity === 'warning')
    ? { action: action.name, input, about: about ?? [], ...rest }
    : undefined;
}

type ReportThen = (message: string, node: Node, hint?: string) => undefined;

/** The name of an action, where it stands, and the node of its input. */
interface NamedAction {
  name: string;
  node: Node;
  input?: Node;
}

function namedIn(item: Node): { names: NamedAction[]; options: Entry[] } | undefined {
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

function declarable(
  name: string,
  node: Node,
  actions: ReadonlyMap<string, Action>,
  say: ReportThen,
): Action | undefined {
  const action = actions.get(name);
  const able = [...actions.values()].filter((action) => action.declarable).map((action) => action.name);
  if (!action)
    return say(`there is no action ${quoted(name)}`, node, hintFor(name, able, 'allowed in `$then`'));
  if (!action.declarable)
    return say(
      `${quoted(name)} can only be run by hand: ${whyByHand(action)}`,
      node,
      `use \`trueup run ${name}\`; allowed in \`$then\`: ${able.join(', ')}`,
    );
  return action;
}

function whyByHand({ cost, shows, grade, why, repeatable, until }: Action): string {
  if (cost !== undefined) return `it costs money: ${cost}`;
  if (shows !== undefined) return 'its response contains a secret';
  if (grade === 'irreversible' || grade === 'destructive') return why!;
  return repeatable || until ? 'a person should decide when' : 'running it twice by mistake could do harm';
}

function readInput(
  { name, on, input }: Action,
  { node, input: given }: NamedAction,
  context: ThenContext,
  findings: Finding[],
): Fields {
  const entries = given?.type === 'map' ? given.entries : [];
  if (given && given.type !== 'map' && !(given.type === 'scalar' && given.value === null)) {
    maskNode(given);
    findings.push(
      wrong(`\`${name}\` must be a map of inputs, not ${describe(given)}`, given, inputHint(name, input)),
    );
    return {};
  }
  const own = entries.filter(({ key }) => key.text !== on || Object.hasOwn(input, key.text));
  const reading: FieldReading = {
    resolver: context.resolver,
    findings: [],
    holes: [],
    copies: [],
    isPoisoned: false,
    secrets: [],
    allowsMovingLookups: true,
  };
  const fields: Fields = {};
  for (const { key, value } of own)
    if (!Object.hasOwn(input, key.text)) {
      maskNode(value);
      const known = [...Object.keys(input), ...(on === undefined ? [] : [on])];
      findings.push(
        wrong(
          `\`${name}\` takes no ${quoted(key.text)}`,
          key,
          hintFor(key.text, known, 'it takes') ?? 'it takes no input',
        ),
      );
    }
  for (const [field, schema] of Object.entries(input)) {
    const entry = own.find(({ key }) => key.text === field);
    if (!entry) {
      const absent = schema.safeParse(undefined);
      if (!absent.success) findings.push(wrong(`\`${name}\` needs ${quoted(field)}`, node, docOf(schema)));
      else if (absent.data !== undefined) fields[field] = absent.data as Value;
      continue;
    }
    const checked = checkField(field, schema, readValue(schema, entry.value, [field], reading), reading);
    const copied = reading.copies.find(({ from, path }) => path[0] === field && from.secrecy !== 'open');
    if ('value' in checked && (copied || holdsSecret(checked.value)))
      findings.push({
        ...wrong(
          `a secret cannot be given to ${quoted(name)}`,
          entry.value,
          `what it is given stands in the plan and in the ledger`,
        ),
        ...(copied ? { code: 'ref/secret', related: [{ message: 'the secret', at: copied.from.at }] } : {}),
      });
    else if ('value' in checked) fields[field] = checked.value as Value;
    else findings.push(...checked.findings.map((finding) => ({ ...finding, path: [], node: entry.value })));
  }
  findings.push(...reading.findings.map((finding) => ({ ...finding, path: [] })));
  return fields;
}

const inputHint = (name: string, input: Action['input']): string => {
  const names = Object.keys(input);
  return names.length === 0 ? `it takes no input: write just \`${name}\`` : `it takes ${names.join(', ')}`;
};

/** Globs of the addresses that it is about: the block itself, what that is in, or what the input names. */
function readAbout(
  { name, on }: Action,
  { node, input }: NamedAction,
  context: ThenContext,
  say: ReportThen,
): string[] | undefined {
  if (on === undefined) return undefined;
  const kind = context.kinds.get(on)!;
  const given = input?.type === 'map' ? input.entries.find(({ key }) => key.text === on)?.value : undefined;
  if (!given) {
    let block: Block | undefined = context.block;
    while (block && block.kind.name !== on) block = block.parent;
    if (block) return [globOf(block.address)];
    const form = kind.parent === undefined ? 'NAME' : `${kind.section}/NAME`;
    return say(
      `\`${name}\` acts on a ${on}, but this block is not in one`,
      node,
      `name it: \`{ ${name}: { ${on}: [${form}] } }\``,
    );
  }
  const texts =
    given.type === 'scalar' && given.text !== ''
      ? [{ name: given.text, node: given as Node }]
      : readTextList(given);
  if (!texts) return say(`\`${on}\` must be the name of a ${on}, or a list of them`, given);
  return texts.map((text) => {
    const glob = aboutGlob(kind, text.name);
    const matched = context.matchDeclared(kind, glob, text.node.at);
    if (typeof matched === 'object') say(matched.fault, text.node, globHint);
    else if (matched === 'none')
      say(
        `no declared ${on} matches ${quoted(text.name)}`,
        text.node,
        `declare it, with \`$existing: true\` if another configuration owns it`,
      );
    return glob;
  });
}

/** A kind at the top is named by its name, or a glob of it; any other one by its address. */
const aboutGlob = ({ section, parent }: Kind, text: string): string =>
  parent !== undefined || text.startsWith(`${section}/`)
    ? text
    : addressOf(undefined, section, [/[*?[{]/.test(text) ? text : globOf(escapeName(text))]);

function readOptions(
  { name, until }: Action,
  options: Entry[],
  { block, sections }: ThenContext,
  say: ReportThen,
): Pick<ActionRule, 'when' | 'drift' | 'wait'> {
  const read: Pick<ActionRule, 'when' | 'drift' | 'wait'> = {};
  for (const { key, value } of options) {
    if (isPoisoned(value)) continue;
    if (key.text === 'when') {
      const texts = readTextList(value);
      const valid = [
        ...new Set([...Object.keys({ ...block.kind.fields, ...comparedFields(block.kind) }), ...sections]),
      ];
      if (!texts || texts.length === 0) say('`when` must be a list of fields and sections', value);
      for (const text of texts ?? [])
        if (!valid.includes(text.name))
          say(
            `a ${block.kind.name} has no field or section ${quoted(text.name)}`,
            text.node,
            hintFor(text.name, valid),
          );
      if (texts) read.when = texts.map((text) => text.name);
    } else if (key.text === 'drift') {
      if (value.type !== 'scalar' || typeof value.value !== 'boolean')
        say('`drift` must be true or false', value);
      else if (value.value) read.drift = true;
    } else if (!until)
      say(`\`${name}\` finishes with its response: there is nothing to wait for`, key, 'remove `wait`');
    else {
      const minutes = readMinutes(value);
      if (minutes === undefined)
        say(`\`wait\` must be \`{ minutes: N }\`, a whole number from 1 to ${longestWait}`, value);
      else read.wait = minutes;
    }
  }
  return read;
}
