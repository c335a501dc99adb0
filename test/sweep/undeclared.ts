import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { Block } from '../support/samples.ts';
import { inventory, successorOf } from './inventory.ts';
import { contentOf } from './inventory-item.ts';
import { plannedLinks, type Step } from './promises.ts';

/** What a configuration declares, by section: paths of fields, however many blocks have them. */
type Declared = Map<string, string[][]>;

/** Read from the body of a configuration as it is written, by the layout of the kinds alone. */
function declaredIn(
  body: Block,
  kinds = allKinds.filter(({ parent }) => !parent),
  found: Declared = new Map(),
) {
  for (const kind of kinds) {
    const children = allKinds.filter(({ parent }) => parent === kind.name);
    for (const block of blocksOf(kind, body[kind.section])) {
      const fields = Object.entries(block).filter(
        ([name]) => !name.startsWith('$') && children.every(({ section }) => section !== name),
      );
      found.set(kind.section, [
        ...(found.get(kind.section) ?? []),
        ...fields.flatMap(([name, value]) => pathsOf(value, [name])),
      ]);
      declaredIn(block, children, found);
    }
  }
  return found;
}

const isObject = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function blocksOf({ key }: Kind, section: unknown): Block[] {
  if (section === undefined) return [];
  const all =
    key.length === 0 || Array.isArray(section) ? [section].flat() : Object.values(section as Block).flat();
  return all.filter(isObject);
}

/** Objects that are written as a whole. */
const wholes = new Set([
  ...[
    'definition',
    'claimsSchema',
    'tokenClaims',
    'schemas',
    'filter',
    'action',
    'fallthrough',
    'pausedOutcome',
  ],
  ...['reuse', 'headers', 'providers', 'providerOptions', 'injectionRules', 'source', 'gitSource', 'role'],
  ...['gitComments', 'gitProviderOptions', 'tracing', 'trustedIps', 'optionsAllowlist', 'trustedSources'],
  ...['branchMatcher', 'ruleScope', 'triggers', 'evaluation', 'trigger', 'billingPlan', 'notification'],
  ...['metadata', 'extras', 'protocolSettings'],
]);

/** The paths of the values in a value that are no objects; an empty object is a value. */
const pathsOf = (value: unknown, path: string[]): string[][] =>
  isObject(value) && Object.keys(value).length > 0 && !wholes.has(path.at(-1)!)
    ? Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
    : [path];

/** Where one object of the account holds several sorts of declared ones. */
const sectionsIn: Record<string, string[]> = {
  firewall: ['firewall', 'managedRules', 'crs'],
  projects: ['projects', 'staticIpSettings'],
  kmsIssuers: ['kmsIssuers', 'signingKey'],
};
/** The content of settings that a deletion resets, by section. */
const resets: Record<string, string> = { tracingConfig: contentOf({ enabled: false, sampling: [] }) };
/** What a block says without naming it. */
const implied: Record<string, string[]> = {
  env: ['target', 'type', 'gitBranch', 'customEnvironmentIds'],
  sharedEnv: ['target', 'type'],
};
/** Fields that read back under another name, by how their paths begin. */
const readAs: Record<string, string> = {
  gitRepository: 'link',
  'resourceConfig.buildMachineType': 'resourceConfig.buildMachineSelection',
  groups: 'managedRuleGroups',
  attackModeEnabled: 'enabled',
  attackModeActiveUntil: 'activeUntil',
  'route.src': 'rawSrc',
  'route.dest': 'rawDest',
  importKeyId: 'keys',
  environments: 'enabledEnvironments',
  envVarEnvironments: 'environments',
  // The platform has the first one there, too.
  'resourceConfig.functionDefaultRegions': 'serverlessFunctionRegion',
};

/** A path as it is written, and as it is read. */
function bothWays(path: string[]): string[][] {
  const written = path.join('.');
  const other = Object.entries(readAs).find(
    ([begin]) => written === begin || written.startsWith(`${begin}.`),
  );
  return other ? [path, written.replace(other[0], other[1]).split('.')] : [path];
}

/**
 * Fields of objects that are there before and after, which have changed although the configuration does not name them: all
 * of a declared path must be in that of a changed one.
 */
export function undeclaredChanges(step: Step, body: Block): string[] {
  const { before: was, after: is } = step;
  const declared = declaredIn(body);
  const isLink = plannedLinks(step);
  const after = inventory(is, is, isLink);
  return [...inventory(was, is, isLink).values()].flatMap((item) => {
    const now = successorOf(item, after);
    if (!now || now.content === item.content || item.content === '') return [];
    if (now.content === resets[item.section]) return [];
    const sections = sectionsIn[item.section] ?? [item.section];
    const paths = [
      ...sections.flatMap((section) => declared.get(section) ?? []).flatMap(bothWays),
      // The name of its block.
      ...[['name'], ['slug'], ['key'], ...(now.key === item.key ? [] : [['id']])],
      ...(implied[item.section] ?? []).map((name) => [name]),
    ];
    const old = JSON.parse(item.content);
    const changed = changedPaths(old, JSON.parse(now.content));
    // Another way to deliver has other fields.
    const isOtherWay = changed.some((path) => path.join('.') === 'delivery.type');
    // Another provider of repositories has other members.
    const isOtherRepository = changed.some((path) => path.join('.') === 'link.type');
    // The platform sets and clears it together with the redirect: apply tells it as a side effect.
    const isRedirected = item.section === 'domains' && changed.some(([first]) => first === 'redirect');
    return changed
      .filter(([first]) => !(isOtherWay && first === 'delivery'))
      .filter(([first]) => !(isOtherRepository && first === 'link'))
      .filter(([first]) => !(isRedirected && first === 'redirectStatusCode'))
      .filter((changed) => !paths.some((path) => isNamed(path, changed)))
      .map(
        (path) =>
          `${item.key}: ${path.join('.')} is not declared, but changed: ${item.content} to ${now.content}`,
      );
  });
}

const isNamed = (declared: string[], changed: string[]) =>
  declared.every((name, index) => changed.length <= index || changed.includes(name));

function changedPaths(before: unknown, after: unknown, path: string[] = []): string[][] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  // What was not there before is what the platform fills in.
  return Object.keys(before).flatMap((name) => changedPaths(before[name], after[name], [...path, name]));
}
