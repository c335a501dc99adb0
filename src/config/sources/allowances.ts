import { globOf } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { compileGlob, type Glob } from '../../model/glob.ts';
import { type CommandPattern, parseCommand } from './command-pattern.ts';

/** The sources that the operator lets a configuration read, beyond what is free. */
export interface Allowances {
  /** For secrets. */
  env(name: string): EnvPermission;
  /** For variables, whose values are shown. */
  envShown(name: string): boolean;
  /** Globs, as they were given. */
  files: string[];
  commands: (CommandPattern & { flag?: string })[];
  /** True for the address of an object whose secrets may be copied although the stack does not own it. */
  live(address: string): boolean;
  /** Notes that a flag allowed something: `--allow-files secrets/*`. */
  noteUse(flag: string): void;
  /** The flags that allowed nothing so far. */
  unusedFlags(): string[];
}

/** Whether `--allow-env` opens an environment variable for secrets, and if a pattern matches without opening it, why. */
export type EnvPermission =
  | { allowed: true }
  | { allowed: false; ineffective?: { pattern: string; family: CredentialFamily } };

/** The options behind the allowances. */
export interface AllowOptions {
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
  allowLive?: string[];
}

/** The environment variables behind the allowances, each a list with commas. */
type AllowEnvironment = Partial<Record<'TRUEUP_ALLOW_ENV' | 'TRUEUP_ALLOW_LIVE', string | undefined>>;

export const nothingAllowed: Allowances = {
  env: () => ({ allowed: false }),
  envShown: () => false,
  files: [],
  commands: [],
  live: () => false,
  noteUse: () => {},
  unusedFlags: () => [],
};

/** Reads the allowances from flags and the environment; returns all problems with them at once. */
export function readAllowances(
  { allowEnv = [], allowEnvShown = [], allowFiles = [], allowCommand = [], allowLive = [] }: AllowOptions,
  { TRUEUP_ALLOW_ENV, TRUEUP_ALLOW_LIVE }: AllowEnvironment = {},
): Allowances | Diagnostic[] {
  const given = [
    ...allowEnv.map((pattern) => ({ pattern, by: '--allow-env' })),
    ...splitNames(TRUEUP_ALLOW_ENV).map((pattern) => ({ pattern, by: 'TRUEUP_ALLOW_ENV' })),
  ];
  const live = [
    ...allowLive.map((address) => ({ address, by: '--allow-live' })),
    ...splitNames(TRUEUP_ALLOW_LIVE).map((address) => ({ address, by: 'TRUEUP_ALLOW_LIVE' })),
  ];
  const shown = allowEnvShown.map((pattern) => ({ pattern, by: '--allow-env-shown' }));
  const commands = allowCommand.map(parseCommand);
  const problems = [
    ...given.flatMap(({ pattern, by }) => wrongName(pattern, by, true) ?? []),
    ...shown.flatMap(({ pattern, by }) => wrongName(pattern, by, false) ?? []),
    ...allowFiles.flatMap((glob) => wrongGlob(glob) ?? []),
    ...commands.filter((command): command is Diagnostic => 'code' in command),
    ...live.flatMap(({ address, by }) => wrongAddress(address, by) ?? []),
  ];
  if (problems.length > 0) return problems;
  const unused = new Set([
    ...allowEnv.map((pattern) => `--allow-env ${pattern}`),
    ...allowEnvShown.map((name) => `--allow-env-shown ${name}`),
    ...allowFiles.map((glob) => `--allow-files ${glob}`),
    ...allowCommand.map((command) => `--allow-command ${command}`),
    ...allowLive.map((address) => `--allow-live ${address}`),
  ]);
  const noteUse = (flag: string) => void unused.delete(flag);
  const patterns = given.map(({ pattern }) => pattern);
  const exactlyShown = new Set(allowEnvShown);
  const exactlyLive = new Set(live.map(({ address }) => address));
  return {
    env: envPermissions(patterns, (pattern) => noteUse(`--allow-env ${pattern}`)),
    envShown: (name) => {
      noteUse(`--allow-env-shown ${name}`);
      return exactlyShown.has(name);
    },
    files: allowFiles,
    commands: (commands as CommandPattern[]).map((pattern, index) => ({
      ...pattern,
      flag: `--allow-command ${allowCommand[index]}`,
    })),
    live: (address) => {
      noteUse(`--allow-live ${address}`);
      return exactlyLive.has(address);
    },
    noteUse,
    unusedFlags: () => [...unused],
  };
}

/** The names in a list with commas. No address holds a comma: it is escaped there. */
const splitNames = (text = ''): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** In an address `*` is escaped, so that one with a `*` is meant as a pattern. */
function wrongAddress(address: string, by: string): Diagnostic | undefined {
  if (/^[^\s/*?]+\/[^\s*?]+$/.test(address)) return undefined;
  return problem(
    'allow/live',
    `${by}: ${address === '' ? 'there is no address' : `${address} is not the address of one object`}`,
    {
      hint: 'name each object as the error does, for example --allow-live projects/web/protectionBypass/e2e',
    },
  );
}

/**
 * Returns the decision on each environment variable by the operator's names and patterns. A pattern opens a credential family only if
 * the family is a service's and the pattern starts with its prefix.
 */
function envPermissions(
  patterns: string[],
  noteMatch: (pattern: string) => void,
): (name: string) => EnvPermission {
  const exact = new Set(patterns);
  const globs = patterns
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) => ({ pattern, matches: compilePattern(pattern).matches }));
  return (name) => {
    const matching = globs.filter(({ matches }) => matches(name)).map(({ pattern }) => pattern);
    for (const pattern of [name, ...matching]) noteMatch(pattern);
    if (exact.has(name)) return { allowed: true };
    const family = credentialFamily(name);
    if (!family) return { allowed: matching.length > 0 };
    const isOpened = family.isService && matching.some((pattern) => namesFamily(pattern, family));
    if (isOpened) return { allowed: true };
    return {
      allowed: false,
      ineffective: matching[0] === undefined ? undefined : { pattern: matching[0], family },
    };
  };
}

/** True if every name that a pattern matches starts with the prefix of the family. */
const namesFamily = (pattern: string, { prefix }: CredentialFamily): boolean =>
  literalPrefix(pattern).startsWith(prefix);

/** The text of a pattern in front of its first `*`, in upper case. */
const literalPrefix = (pattern: string): string => pattern.split('*')[0]!.trim().toUpperCase();

/** In a pattern of names only `*` is special. */
const compilePattern = (pattern: string): Glob =>
  compileGlob(pattern.split('*').map(globOf).join('*'), { hasParts: false });

function wrongName(pattern: string, by: string, mayBeGlob: boolean): Diagnostic | undefined {
  const wrong = (message: string, hint: string) => problem('allow/env', `${by}: ${message}`, { hint });
  if (pattern.trim() === '') return wrong('there is no name', `write ${by} NAME`);
  if (pattern.includes('*') && !mayBeGlob)
    return wrong(`${pattern} is a pattern, but values of variables are shown`, 'list each name');
  if (!/[^*?\s]/.test(pattern))
    return wrong(
      `${pattern} would allow the whole environment`,
      'name what may be read, for example --allow-env DATABASE_URL or --allow-env "ACME_*"',
    );
  if (pattern.toUpperCase().startsWith('TRUEUP_'))
    return wrong(
      `${pattern}: names starting with TRUEUP_ are reserved for trueup`,
      'TRUEUP_VAR_* and TRUEUP_SECRET_* are always allowed; the others are never read',
    );
  const family = pattern.includes('*') ? credentialFamily(literalPrefix(pattern)) : undefined;
  if (family && !family.isService)
    return wrong(
      `${pattern} matches only credentials of a cloud, vault, CI system or registry, and no pattern opens those`,
      `write each name: ${by === '--allow-env' ? '--allow-env NAME --allow-env OTHER' : `${by}=NAME,OTHER`}`,
    );
  return undefined;
}

function wrongGlob(glob: string): Diagnostic | undefined {
  const wrong = (message: string, hint: string) =>
    problem('allow/files', `--allow-files: ${message}`, { hint });
  if (glob.trim() === '') return wrong('there is no path', 'write --allow-files PATH, or a glob');
  return /[^*?./\\\s]/.test(glob)
    ? undefined
    : wrong(
        `${glob} would allow every file`,
        "name the files or their folder, for example --allow-files 'secrets/*.txt'",
      );
}

/** Variables of one system whose names share a prefix and that usually hold its credentials. */
export interface CredentialFamily {
  /** In upper case, for example `STRIPE_`; the whole name where a variable stands alone. */
  prefix: string;
  /**
   * True for a service that a project uses: a pattern such as `STRIPE_*` opens it. False for clouds, vaults, CI systems and registries:
   * their credentials reach much further, so each has to be named.
   */
  isService: boolean;
}

const exactOnly = [
  // Clouds and vaults
  /^(AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|ALIBABA_CLOUD|OCI|IBMCLOUD|DIGITALOCEAN|HCLOUD|CLOUDFLARE|CF|FASTLY|HEROKU|FLY|NETLIFY|VERCEL)_/,
  /^(VAULT|OP|BW|BWS|DOPPLER|INFISICAL|AKEYLESS|CONJUR|SOPS|AGE|LASTPASS|KEEPER)_/,
  /^(TF|TFE|TF_VAR|PULUMI|ATLAS|ATLANTIS|CONSUL|NOMAD|KUBE|K8S)_/,
  // CI systems, and the tokens that they give to jobs
  /^(GITHUB|GH|GITEA|FORGEJO|GITLAB|GL|ACTIONS|RUNNER|CI|BITBUCKET|CIRCLE|BUILDKITE|TRAVIS|DRONE|JENKINS|TEAMCITY|APPVEYOR|SEMAPHORE|SYSTEM|AGENT)_/,
  /^(SYSTEM_ACCESSTOKEN|AZURE_DEVOPS_EXT_PAT)$/,
  // Git, SSH, registries
  /^(GIT|SSH|GPG|PGP|NPM|NPM_CONFIG|NODE_AUTH|YARN|PNPM|BUN|CARGO|PYPI|PIP|UV|POETRY|TWINE|GEM|BUNDLE|RUBYGEMS|MAVEN|GRADLE|NUGET|DOCKER|REGISTRY|HELM|COMPOSER)_/,
  // Client programs that sign in with a variable of this name
  /^(PGPASSWORD|MYSQL_PWD|KUBECONFIG|REDISCLI_AUTH|COOKIE|NETRC)$/,
];

const services =
  /^(SLACK|SENTRY|DATADOG|DD|NEW_RELIC|STRIPE|TWILIO|SENDGRID|OPENAI|ANTHROPIC|HF|SNYK|SONAR|CODECOV|PG)_/;

/** Returns the credential family of an environment variable. Ignores case, since some systems do. */
function credentialFamily(name: string): CredentialFamily | undefined {
  const upperCase = name.trim().toUpperCase();
  const prefixIn = (pattern: RegExp) => pattern.exec(upperCase)?.[0];
  const prefix = exactOnly.map(prefixIn).find((match) => match !== undefined);
  if (prefix !== undefined) return { prefix, isService: false };
  const service = prefixIn(services);
  return service === undefined ? undefined : { prefix: service, isService: true };
}
