import { groupBy } from '../model/graph.ts';
import { familyMemberOf } from '../model/secret-families.ts';
import { count, joinAsSentence } from '../report/text.ts';

/** The facts about a repository that its workflows contain. Paths start at the top of the repository and have `/`. */
export interface CiRepository {
  /** The default branch; empty for GitLab, which finds it itself. */
  branch: string;
  /** The folder with package.json and package-lock.json; empty for the top. */
  tool: string;
  /** For one stack, the file or folder of its configuration; for several, the folder of the workspace, empty for the top. */
  stacks: { file: string } | { workspace: string };
  /** The secrets that jobs of the default branch need. */
  secrets: CiSecret[];
  /**
   * The variables of the configuration that get their values from outside, each with the environment variable for CI: `TRUEUP_VAR_name`.
   */
  variables: CiSecret[];
  /** The place of the ledgers, in the form that `--ledger` takes. */
  ledger: string;
  /** True if it has test files (`*.test.yaml`), which the jobs of pull requests run then. */
  hasTests: boolean;
}

/** A secret or a variable of the configuration that comes from the environment. */
export interface CiSecret {
  /** Its name in the configuration. */
  name: string;
  /** The variable of the environment that it is read from: a letter or `_`, then letters of ASCII, digits and `_`. */
  env: string;
  /** For a variable with several secrets: the form of its text. */
  format?: 'json' | 'dotenv';
  /** The keys of those that are used. */
  keys?: string[];
}

/** A file that CI needs, with its path from the top of the repository. */
export interface CiFile {
  path: string;
  text: string;
}

/** What a step is about, so that `init --ci --check` knows how to verify it. `note`: something that only a person can judge. */
export type CiStepTopic =
  | 'edits'
  | 'files'
  | 'ignored'
  | 'tool'
  | 'ledger'
  | 'key'
  | 'environments'
  | 'secrets'
  | 'json'
  | 'variables'
  | 'note'
  | 'branch'
  | 'actions'
  | 'commit';

/** A step on the way to CI: a first line, and lines of detail. */
export interface CiStep {
  topic: CiStepTopic;
  lines: string[];
}

/** The facts that a person needs to set up CI, besides the files. */
export interface CiNeeds {
  /** The accounts of the stacks: `team acme`. */
  accounts: string[];
  /** True if the lockfile of the repository contains trueup. */
  hasTool: boolean;
  /** The place of the key that signs ledgers on this machine: `.trueup/key` or `TRUEUP_LEDGER_KEY`. Undefined if there is none. */
  keyPlace: string | undefined;
  /** True if there is a ledger, so that the key which signed it has to be used, wherever it is. */
  hasLedgers: boolean;
  /** The folder, from the top of the repository, for files with secrets on the way to CI. git ignores it. */
  formFolder: string;
  /** Further advice, each note in lines: values and permissions that CI must provide besides the secrets. */
  notes: string[][];
}

/** Returns the name of a secret on GitHub. In capitals, because GitHub does not distinguish case. */
export const githubSecretName = ({ env }: CiSecret): string => env.toUpperCase();

/**
 * Returns the environment variables that a configuration may only read if the operator allows them by name
 * (`TRUEUP_ALLOW_ENV`).
 */
export const namesToAllow = (secrets: CiSecret[]): string[] =>
  secrets.map(({ env }) => env).filter((env) => !env.startsWith('TRUEUP_SECRET_'));

/** A secret or variable to set in CI: its name, the environments that get it, and a description. */
export type Setting = readonly [name: string, environments: string, description: string];

/** The environments of jobs on the default branch. */
export const jobsOfMain = 'plan-main, production';

/**
 * Returns the secrets that a person has to set in CI, each with the environments that need it and what it is:
 * tokens, the ledger key, and the secrets of the configuration. The steps of `init --ci` list them.
 * @param nameOf returns the name under which CI keeps a secret
 */
export const secretSettings = (
  { secrets }: CiRepository,
  { accounts, keyPlace, hasLedgers }: CiNeeds,
  nameOf: (secret: CiSecret) => string,
): Setting[] => [
  ['TRUEUP_TOKEN', 'plan', `a read-only token${describeReach(accounts)}`],
  ['TRUEUP_TOKEN', jobsOfMain, 'one with write access'],
  ['TRUEUP_LEDGER_KEY', jobsOfMain, ledgerKeyText(keyPlace, hasLedgers)],
  ...groupFamilies(secrets).map(
    (members) => [nameOfGroup(members, nameOf), jobsOfMain, describeSecrets(members)] as const,
  ),
];

/** Members of a family get one line in the list of settings if there are more than so many. */
const maxListedMembers = 5;

/** Groups secrets for the list of settings: the members of a large family together, every other secret alone. */
const groupFamilies = (secrets: readonly CiSecret[]): CiSecret[][] =>
  [...groupBy(secrets, ({ name }) => familyMemberOf(name)?.family ?? name).values()].flatMap((members) =>
    members.length > maxListedMembers ? [members] : members.map((member) => [member]),
  );

/** Returns the name of a secret in CI, or for the members of a family the common part of their names: `TRUEUP_SECRET_MAIL_*`. */
function nameOfGroup(members: readonly CiSecret[], nameOf: (secret: CiSecret) => string): string {
  const [first, ...others] = members.map(nameOf) as [string, ...string[]];
  if (others.length === 0) return first;
  const isCommon = (length: number) => others.every((other) => other.startsWith(first.slice(0, length)));
  let length = first.length;
  while (!isCommon(length)) length--;
  return `${first.slice(0, length)}*`;
}

/** Describes a secret for the list of settings, or the members of a family. */
const describeSecrets = (members: readonly CiSecret[]): string =>
  members.length === 1
    ? describeSecret(members[0]!)
    : `the ${members.length} members of the secret ${familyMemberOf(members[0]!.name)!.family}; \`trueup secrets --json\` lists them`;

/** Describes a secret for the list of settings: one value, or a text with several. */
const describeSecret = ({ name, format, keys = [] }: CiSecret): string =>
  format === undefined
    ? `the secret ${name}`
    : `the secret ${name}: ${format === 'json' ? 'a JSON object' : 'a dotenv text'} with ${count(keys.length, 'member')}`;

/**
 * Says where to take the key of the ledger from. With a new key, CI would not accept the ledgers that exist.
 */
function ledgerKeyText(keyPlace: string | undefined, hasLedgers: boolean): string {
  if (keyPlace !== undefined) return `the key of this machine, in ${keyPlace}; do not create another one`;
  return hasLedgers
    ? 'the key that signed the ledgers: `.trueup/key` of the machine that applied; do not create another one'
    : '`trueup ledger key --print` creates it; keep a copy somewhere safe';
}

/** Says which accounts a token must have access to. */
const describeReach = (accounts: string[]): string =>
  accounts.length > 1 ? `; it has to reach ${joinAsSentence(accounts)}` : `, for ${accounts.join()}`;

/**
 * Formats the secrets and variables that a user has to create in CI (name, environments, description) as aligned lines, for the steps that
 * `init --ci` prints. They are not commands to paste, because a shell could run a part of a name from the configuration.
 */
export function formatSettings(settings: readonly Setting[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...settings.map((setting) => setting[column]!.length)));
  return settings.map(
    ([name, environments, description]) =>
      `  ${name.padEnd(widths[0]!)}  ${environments.padEnd(widths[1]!)}  ${description}`,
  );
}
