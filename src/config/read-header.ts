/**
 * Splits a configuration into its keys and sections, and reads the keys `stack`, `platform`, `$allow` and `owns`.
 *
 *   header   the keys that may appear only once in all files together
 *   added    the keys that several files may add to, such as `variables`
 */
import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import { type Diagnostic, problem, type Reporter } from '../model/diagnostic.ts';
import { isStackName, stackNameRule } from '../model/ledger.ts';
import { type Permission, permissions } from '../model/resource.ts';
import { guessMeantName } from '../model/similar-name.ts';
import { readTextList } from './blocks/meta-readers.ts';
import { checkGlob } from './counted-globs.ts';
import type { Expand } from './expressions/expand.ts';
import { hintForKey } from './key-hint.ts';
import type { Document } from './read-files.ts';
import { hintFor, quoted } from './suggest.ts';
import { isTestFileName } from './test-file-name.ts';
import {
  containsReportedProblem,
  describeNodeType,
  type Entry,
  findMisfit,
  hasReportedProblem,
  isText,
  itemsOrSelf,
  maskNode,
  type Node,
  reportType,
} from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

/** The parts of a configuration as they are written, before templates and patches are merged. */
export interface WrittenParts {
  header: Map<string, Entry>;
  /** True if there is an unknown key that probably means `stack`, so that the name of the stack is not reported as missing as well. */
  isStackMisspelled: boolean;
  /** The values of each key that several documents may add to. Has all these keys: `variables`, `secrets`, `templates` and so on. */
  added: Map<string, Node[]>;
  /** The sections of resources in each document that has some. */
  documents: Entry[][];
  /** The names of all sections of resources that a document can have. */
  rootSections: string[];
}

/**
 * Splits the documents of a configuration into three parts, each with its own reader: the header (such as
 * `stack`, once in all files), the keys that several documents may add to (`added`, such as `variables`), and
 * the sections of resources. Reports unknown and duplicate keys, and keys that an included file must not
 * have. Ignores `x-` keys, and `include` because an earlier step has read it.
 */
export function splitDocuments(documents: Document[], kinds: Kinds, report: Reporter): WrittenParts {
  const sections = new Set(childKinds(kinds, undefined).map(({ section }) => section));
  const header = new Map<string, Entry>();
  const added = new Map<string, Node[]>(addedKeys.map((key) => [key, []]));
  const documentSections: Entry[][] = [];
  let isStackMisspelled = false;
  for (const { map, isIncluded } of documents) {
    const entries: Entry[] = [];
    const repeatedEntries: Entry[] = [];
    for (const entry of map.entries) {
      const { key, value } = entry;
      if (key.text.startsWith('x-') || key.text === 'include') continue;
      if (isIncluded && key.text !== 'templates' && key.text !== 'variables')
        reportInIncludedFile(entry, report);
      else if (sections.has(key.text)) entries.push(entry);
      else if (added.has(key.text)) added.get(key.text)!.push(value);
      else if (header.has(key.text)) repeatedEntries.push(entry);
      else if (headerKeys.includes(key.text)) header.set(key.text, entry);
      else if (isConnectionKey(key.text)) report.add(connectionInYaml(entry));
      else {
        isStackMisspelled ||= guessMeantName(key.text, headerKeys) === 'stack';
        reportUnknownSection(entry, kinds, sections, report);
      }
    }
    if (repeatedEntries.length > 0) report.add(repeatedKeysProblem(repeatedEntries, header));
    if (entries.length > 0) documentSections.push(entries);
  }
  return { header, isStackMisspelled, added, documents: documentSections, rootSections: [...sections] };
}

/**
 * Returns the problem with keys of the header that a document repeats. Somebody probably copied the header of another file, so all of them
 * are one problem. The values are masked, because no reader looks at them, and they may contain a secret that a message would quote; the
 * name of the stack never does. `header`: the first entries with these keys.
 */
function repeatedKeysProblem(
  repeatedEntries: readonly Entry[],
  header: ReadonlyMap<string, Entry>,
): Diagnostic {
  for (const { key, value } of repeatedEntries) if (key.text !== 'stack') maskNode(value);
  const keys = repeatedEntries.map(({ key }) => key.text);
  const isSingle = keys.length === 1;
  const names = keys.map((key) => `\`${key}\``).join(', ');
  return problem('config/duplicate', `duplicate ${isSingle ? 'key' : 'keys'} ${names}`, {
    at: repeatedEntries[0]!.key,
    hint: `${isSingle ? 'it' : 'they'} can appear only once across all files`,
    related: keys.map((key) => ({
      message: isSingle ? 'the first one' : `the first \`${key}\``,
      at: header.get(key)!.key,
    })),
  });
}

/**
 * Reports a key that an included file must not have: it shares templates and variables between stacks, so it
 * declares no resources. The value is masked, because no reader looks at it, and it may be a secret that a
 * message would quote.
 */
function reportInIncludedFile({ key, value }: Entry, report: Reporter): void {
  maskNode(value);
  report.error('include/section', `${quoted(key.text)} is not allowed in an included file`, {
    at: key,
    hint: 'included files can only have `templates`, `variables` and `x-` keys',
  });
}

/**
 * Reports a key of a document that is neither a section of resources (`sections`) nor another known key. The
 * value is masked, because no reader looks at it, and it may be a secret that a message would quote.
 */
function reportUnknownSection(
  { key, value }: Entry,
  kinds: Kinds,
  sections: ReadonlySet<string>,
  report: Reporter,
): void {
  maskNode(value);
  const isTest = key.text === 'tests' || key.text === 'given';
  report.error('config/unknown-key', `${quoted(key.text)} is not a section`, {
    at: key,
    hint:
      isTest && isTestFileName(key.at.source.file)
        ? 'this is a test file: run it with `trueup test`'
        : hintForKey(key.text, { kinds, validKeys: [...sections, ...headerKeys, ...addedKeys, 'include'] }),
  });
}

/**
 * Returns the items of a key that must be a list, `patches:` or `use:`, from all files, since several can add
 * to it. Reports values that are no lists. `sections`: the values of the key; `name`: the key, for the
 * message.
 */
export function readListItems(sections: Node[], name: string, report: Reporter): Node[] {
  return sections.flatMap((node) => {
    if (node.type === 'list') return node.items;
    reportType(report, node, `\`${name}\` must be a list`);
    return [];
  });
}

export const headerKeys = ['stack', 'platform', 'ledger', 'stages', '$allow', 'owns', 'findings', 'removed'];
/** The keys that several files may have at the top level; their contents are combined. */
export const addedKeys = ['variables', 'secrets', 'lookups', 'templates', 'use', 'patches'];
/** Names of keys that look like a setting of the connection: a token or a URL. */
const connectionKey = /^(token|apitoken|accesstoken|auth|baseurl|apiurl|url|endpoint|api)$/;

/**
 * True if a key of the YAML looks like a setting of the connection to the platform, such as its URL or token. The YAML must not contain
 * these, because a pull request could send the token elsewhere.
 */
const isConnectionKey = (key: string): boolean => connectionKey.test(key.toLowerCase().replace(/[-_]/g, ''));

/**
 * Returns the problem with a setting of the connection in the YAML, such as a URL or a token. It is not
 * allowed because a pull request could send the token elsewhere. Its value is masked, because it may be a
 * token and messages quote lines.
 */
const connectionInYaml = ({ key, value }: Entry): Diagnostic => {
  maskNode(value);
  return problem('config/connection', `${quoted(key.text)} is not allowed in the configuration`, {
    at: key,
    hint: 'the base URL comes from --base-url or TRUEUP_BASE_URL, the token from TRUEUP_TOKEN or --token-file',
  });
};

/**
 * Returns the name of the stack (`stack:` in the YAML), by which each command finds its ledger. With `stage`
 * (from `--stage` or the workspace), that is `name@stage`, unless the YAML has the stage in the name itself:
 * as `${stage}` or after an `@` (`shop@staging`). Returns undefined after a report, and if the name contains
 * a value whose problem was reported before.
 */
export function readStack(
  entry: Entry,
  expand: Expand,
  report: Reporter,
  stage?: string,
): string | undefined {
  const node = expand(entry.value);
  if (hasReportedProblem(node)) return undefined;
  if (isText(node) && isStackName(node.text)) {
    const hasStage = namesStage(entry.value) || node.text.includes('@');
    return stage === undefined || hasStage ? node.text : `${node.text}@${stage}`;
  }
  report.error(
    'config/stack',
    node.type === 'scalar'
      ? 'this is not a valid stack name'
      : `\`stack\` must be a name, not ${describeNodeType(node)}`,
    {
      at: node,
      hint: stackNameRule,
    },
  );
  return undefined;
}

/**
 * True if a text of the YAML contains `${stage}`, possibly with a filter (`${stage | upper}`), and not only the literal text `$${stage}`.
 * The name of the stack then needs no `@stage`.
 */
const namesStage = (node: Node): boolean =>
  node.type === 'scalar' && /\$\{\s*stage\s*[|}]/.test(node.text.replaceAll('$${', ''));

/**
 * Returns the account of the stack, to which all of its requests go, from `platform:` in the YAML: `{ team:
 * SLUG_OR_ID }` or `{ personal: true }`. Returns undefined after a report, and if it contains a value whose
 * problem was reported before.
 */
export function readPlatform(entry: Entry, expand: Expand, report: Reporter): Scope | undefined {
  const node = expand(entry.value);
  const hint = 'platform: { team: slug-or-id }, or { personal: true }';
  if (hasReportedProblem(node)) return undefined;
  if (node.type !== 'map') return report.error('config/type', '`platform` must be a map', { at: node, hint });
  let scope: Scope | undefined;
  for (const item of node.entries) {
    const { key, value } = item;
    if (hasReportedProblem(value)) return undefined;
    if (isConnectionKey(key.text)) report.add(connectionInYaml(item));
    else if (key.text !== 'team' && key.text !== 'personal') {
      // Such as `ledger` with a password: no reader looks at the value, and the message would quote it.
      maskNode(value);
      report.error('config/unknown-key', `\`platform\` has no ${quoted(key.text)}`, {
        at: key,
        hint: hintFor(key.text, ['team', 'personal']),
      });
    } else if (scope)
      return report.error('config/value', '`team` and `personal` cannot be combined', { at: key, hint });
    else if (value.type === 'scalar' && key.text === 'personal' && value.value === true)
      scope = { personal: true };
    else if (key.text === 'team' && isText(value) && value.text !== '') scope = { team: value.text };
    else return report.error('config/value', `\`${key.text}\` cannot have this value`, { at: value, hint });
  }
  if (!scope && node.entries.length === 0)
    report.error('config/value', '`platform` names no account', { at: node, hint });
  return scope;
}

/**
 * Returns the permissions in `$allow` of the header, such as that for changes that cost money. Without the
 * permission, a plan refuses such changes. Reports unknown permissions, and leaves them out.
 */
export function readAllow(entry: Entry, expand: Expand, report: Reporter): Permission[] {
  const node = expand(entry.value);
  const items = readTextList(node);
  if (!items && !containsReportedProblem(node))
    reportTextList(report, node, '`$allow` must be a list', `$allow: [${permissions.join(', ')}]`);
  for (const { name, node } of items ?? [])
    if (!permissions.some((permission) => permission === name))
      report.error('config/value', `\`$allow\` has no ${quoted(name)}`, {
        at: node,
        hint: hintFor(name, permissions),
      });
  return permissions.filter((permission) => items?.some(({ name }) => name === permission));
}

/**
 * Returns the name of the stack from its line `stack: NAME`, if no document has this key, usually because a
 * file has syntax errors. Used only to report a failed run under that name. Undefined if there is no such
 * line, if there are several, or if the name contains an expression.
 */
export function guessStackName(sources: Source[]): string | undefined {
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(/^stack:[ \t]+(["']?)([a-zA-Z0-9][\w.-]{0,62})\1[ \t]*(?:#.*)?\r?$/gm)].map(
      ([, , name]) => name!,
    ),
  );
  return names.length === 1 ? names[0] : undefined;
}

/**
 * Returns the globs of `owns:`, the addresses that the stack may declare. In a repository of several teams,
 * it keeps a stack from declaring resources of others. Returns undefined after a report, and if it contains a
 * value whose problem was reported before, so that no resource is reported as outside of an invalid list.
 */
export function readOwns(value: Node, expand: Expand, report: Reporter): string[] | undefined {
  const node = expand(value);
  const items = readTextList(node);
  const globs = itemsOrSelf(node).filter((item) => item.type === 'scalar');
  const faults = globs.flatMap(checkGlob);
  report.add(faults);
  if (items) return faults.length > 0 ? undefined : items.map(({ name }) => name);
  if (containsReportedProblem(node)) return undefined;
  return reportTextList(
    report,
    node,
    '`owns` must be a list of addresses',
    'owns: ["projects/*/firewall/**"]',
  );
}

/**
 * Reports a value that is no list of texts, at the value or at the item that is no text. Returns undefined
 * like `reportType`.
 */
function reportTextList(report: Reporter, node: Node, expectation: string, hint: string): undefined {
  const { misfit, actual } = findMisfit(node);
  return report.error('config/type', `${expectation}${actual}`, { at: misfit, hint });
}
