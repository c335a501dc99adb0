import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { escapeName } from '../../src/model/address.ts';
import { withMarks } from '../support/canary-marks.ts';
import { type Block, overlaid, placed, samples, withLeaf } from '../support/samples.ts';

/** One object of a configuration: an edit adds, changes or removes one of these. */
export interface Part {
  kind: string;
  /** Whose it is: objects of one label are in one project, one domain, and so on. */
  label: string;
  /** The label whose project it is in, where that is not its own: a domain that was moved there. */
  home?: string;
  /** One of several of its kind beside each other; 0 is as the sample has it, and from 2 on it got that name later. */
  variant: number;
  /** The variant that it was: `$was`. */
  was?: number;
  /** The type of a variable, where the leaves have none. */
  type?: string;
  /** The leaves of the sample that it has, each with its first or its second value. */
  leaves: Record<string, 0 | 1>;
  /** The `$` keys that it has beside those of the sample. */
  meta: Block;
}

export const kindNames: string[] = allKinds.map(({ name }) => name);

export const partKey = ({ kind, label, variant }: Part): string => `${kind} ${label} ${variant}`;

/** What an object of a kind is called in its sample, and others beside it; what has none is alone under its label. */
const names: Record<string, string[]> = {
  customEnvironment: ['staging', 'nightly', 'weekly', 'daily'],
  projectEnvVar: ['NAME', 'OTHER_NAME', 'THIRD_NAME', 'LAST_NAME'],
  dnsRecord: ['www', 'api', 'mail', 'docs'],
  firewallRule: ['rule', 'another rule', 'third rule', 'last rule'],
  firewallIp: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '203.0.114.0/24'],
  managedRuleset: ['owasp', 'bot_protection'],
  coreRuleset: ['sqli', 'xss'],
  protectionBypass: ['e2e', 'load', 'smoke', 'nightly'],
  bulkRedirects: ['/old', '/older'],
  projectRoute: ['route', 'another route', 'third route', 'last route'],
  segment: ['mine', 'theirs'],
  featureFlag: ['banner', 'footer'],
  globalConfigItem: ['key', 'other-key', 'third-key', 'last-key'],
  globalConfigToken: ['web', 'app'],
};

/** How many of a kind a configuration begins with, beside each other. */
export const variantsOf = (kind: string): number => (names[kind] ? 2 : 1);
/** The variants that one may be renamed to. */
export const renamesOf = (kind: string): number[] =>
  (names[kind]?.length ?? 0) > 2 ? [...names[kind]!.keys()] : [];

/** What `$was` says of one that had this name. */
function wasOf(kind: string, name: string, block: Block): string {
  if (kind === 'dnsRecord') return `${escapeName(name)}/${block.type}`;
  if (kind === 'firewallIp') return `${escapeName(String(block.hostname))}/${escapeName(name)}`;
  return escapeName(name);
}

const withoutNames = ({ cns: _, ...leaves }: Part['leaves']): Part['leaves'] => leaves;

/** The part as it stands in a configuration. */
export function bodyOfPart({
  kind,
  label,
  home = label,
  variant,
  was,
  type,
  leaves: given,
  meta,
}: Part): Block {
  const sample = samples[kind]!;
  // An uploaded certificate is for the names that are in it, and no others.
  const isUploaded = kind === 'certificate' && Object.keys(given).some((path) => sample.leaves[path]![2]);
  const leaves = isUploaded ? withoutNames(given) : given;
  let block: Block = { ...sample.base, ...(type !== undefined && { type }) };
  for (const path of Object.keys(leaves)) block = overlaid(block, sample.leaves[path]![2]);
  // In whatever order the leaves come: whether a value is a secret, the type beside it says.
  const typed = leaves.type === undefined ? block : { ...block, type: sample.leaves.type![leaves.type] };
  for (const [path, side] of Object.entries(leaves)) {
    const isSecret = isSecretValue(kind, path, typed) || takesText(path);
    const value = isSecret ? secretOf(kind, path, side, variant) : sample.leaves[path]![side];
    block = withLeaf(block, path, value);
  }
  block = { ...withMarks(kindOf[kind]!, veiled(kind, block), canaryOf), ...meta };
  // The old name comes last: it may be that of the sample.
  if (was !== undefined) block = { ...block, $was: 'OLD' };
  const body = inProject(placed(sample, label, block), label, home);
  const named = variant === 0 ? body : beside(body, names[kind]![0]!, names[kind]![variant]!);
  if (was === undefined) return named;
  return beside(named, 'OLD', wasOf(kind, names[kind]![was]!, block).replaceAll('LABEL', label));
}

/** Values of secrets by the names under which configurations here have them. */
export const secretValues: Record<string, string> = {
  value0: 'canary-value-zero-1f6b',
  value1: 'canary-value-one-77ac',
  text0: 'canary-text-zero-20d9',
  text1: 'canary-text-one-e5b3',
};

/** What no plan, ledger, error or event may hold, since the field that it stands in is a secret. */
export const canaries = ['canary-value', 'canary-literal', 'canaryliteral'];
/** What only the configuration says is one: nothing may hold it, as long as a stack has the field. */
export const declaredCanaries = ['canary-text'];

const kindOf = Object.fromEntries(allKinds.map((kind) => [kind.name, kind]));

/** What is no canary yet, and stands in the configuration itself. */
const canaryOf = (text: string): string =>
  text.startsWith('canary') || text.includes('${') ? text : `canary-literal-${text}`;

// A variable of the type plain is no secret.
const isSecretValue = (kind: string, path: string, block: Block): boolean =>
  (/EnvVar$/.test(kind) && path === 'value' && block.type !== 'plain') ||
  ['passwordProtection.password', 'delivery.secret'].includes(path) ||
  (kind === 'protectionBypass' && path === 'secret');
const takesText = (path: string) => ['description', 'comment', 'notes'].includes(path);

/** A secret for a leaf, as it is written in the configuration: there, or taken from `secrets:`. */
function secretOf(kind: string, path: string, side: 0 | 1, variant: number): string {
  if (takesText(path)) return `\${secret.text${side}}`;
  if (kind === 'protectionBypass') return `canaryliteral${side}${variant}`.padEnd(32, 'x');
  if (kind === 'drain') return `canary-literal-${side}`.padEnd(32, 'x');
  return kind === 'project' ? `canary-literal-${side}` : `\${secret.value${side}}`;
}

/** The value of a variable that is no leaf of the part is a secret, too; one that stands in the clear is called otherwise. */
function veiled(kind: string, block: Block): Block {
  const isVariable = kind === 'projectEnvVar' || kind === 'sharedEnvVar';
  return isVariable && block.value === 'text' && block.type !== 'plain'
    ? { ...block, value: block.type === 'sensitive' ? 'canary-literal-text' : 'open-literal-text' }
    : block;
}

/** What stands in one project, in another one. */
const inProject = ({ projects, ...others }: Block, label: string, home: string): Block =>
  projects === undefined ? others : { ...others, projects: { [home]: (projects as Block)[label] } };

/** The same body with another name in place of one. */
const beside = (body: Block, name: string, other: string): Block =>
  JSON.parse(JSON.stringify(body).replaceAll(JSON.stringify(name), JSON.stringify(other)));

/** Bodies as one. What stands in several stays as it is; items of lists are joined. */
export function joined(one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  if (other === undefined || isDeepStrictEqual(one, other)) return one;
  if (Array.isArray(one) && Array.isArray(other))
    return [...one, ...other.filter((item) => !one.some((known) => isDeepStrictEqual(known, item)))];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [name, joined((one as Block)[name], (other as Block)[name])]),
  );
}

/** Labels that were renamed, with what they were: `$was` for what has its name from them. */
export type Renames = ReadonlyMap<string, string>;

const renamed = [
  'projects',
  'domains',
  'accessGroups',
  'globalConfigs',
  'drains',
  'webhooks',
  'certificates',
  'certificates',
  'sharedEnv',
  'aiGatewayRules',
];

/** A whole configuration, without its header. */
export function bodyOfParts(parts: Part[], renames: Renames = new Map()): Block {
  const body = parts.map(bodyOfPart).reduce<unknown>(joined, {}) as Block;
  for (const section of renamed)
    for (const [label, was] of renames)
      for (const ending of ['', '.example']) {
        const block = (body[section] as Block | undefined)?.[label + ending];
        if (block) (block as Block).$was = was + ending;
      }
  return body;
}

/** The text of a configuration, with the secrets that it uses. */
export const yamlOf = (body: Block): string =>
  stringify({
    secrets: Object.fromEntries(Object.keys(secretValues).map((name) => [name, { env: name.toUpperCase() }])),
    ...body,
  });

/** The environment in which its secrets are there. */
export const secretEnv: Record<string, string> = Object.fromEntries(
  Object.entries(secretValues).map(([name, value]) => [name.toUpperCase(), value]),
);
