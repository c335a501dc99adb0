/**
 * What the operator (the person or job that runs trueup) lets a configuration read, by flags and environment variables.
 *
 *   family   environment variables of one system whose names share a prefix, and that usually contain its credentials: `STRIPE_*`
 *   pattern  a name with `*`. It must not open credentials by accident, so it opens a family only under the rules of `envPermissions`.
 */
import { globOf } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { compileGlob, type Glob } from '../../model/glob.ts';
import { type AllowedCommand, type CommandPattern, parseCommand } from './command-pattern.ts';
import type { CredentialFamily, EnvAllowances, EnvPermission } from './verdict.ts';

/**
 * The sources that the operator lets a configuration read, beyond those that are always allowed. The functions also note which flag was
 * used, so that unused ones can be reported.
 */
export interface Allowances extends EnvAllowances {
  /** The globs of files, as they are written in the flags. */
  files: string[];
  /** The commands that may run. */
  commands: AllowedCommand[];
  /** True for the address of an object whose secrets may be copied although the stack does not own it. */
  live(address: string): boolean;
  /** Notes that a flag has allowed something: `--allow-files secrets/*`. */
  noteUse(flag: string): void;
  /** Returns the flags that have not allowed anything so far. */
  unusedFlags(): string[];
}

/** The values of the flags `--allow-*`. */
export interface AllowOptions {
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
  allowLive?: string[];
}

/** The environment variables with the same meaning as flags. Each is a list of names with commas. */
type AllowEnvironment = Partial<Record<'TRUEUP_ALLOW_ENV' | 'TRUEUP_ALLOW_LIVE', string | undefined>>;

/** The allowances of an operator who passes no flags. */
export const nothingAllowed: Allowances = {
  env: () => ({ allowed: false }),
  envShown: () => false,
  files: [],
  commands: [],
  live: () => false,
  noteUse: () => {},
  unusedFlags: () => [],
};

/**
 * Reads the flags `--allow-*`, and TRUEUP_ALLOW_ENV and TRUEUP_ALLOW_LIVE with the same meaning, which let a
 * configuration read more than is always allowed. It may come from a pull request, so only the operator can
 * allow more. Returns functions that tell whether a source is allowed, or all problems with the flags at
 * once.
 */
export function readAllowances(
  { allowEnv = [], allowEnvShown = [], allowFiles = [], allowCommand = [], allowLive = [] }: AllowOptions,
  { TRUEUP_ALLOW_ENV, TRUEUP_ALLOW_LIVE }: AllowEnvironment = {},
): Allowances | Diagnostic[] {
  const envFromVariable = splitNames(TRUEUP_ALLOW_ENV);
  const liveFromVariable = splitNames(TRUEUP_ALLOW_LIVE);
  const commands = allowCommand.map(parseCommand);
  // Everything that a flag or an environment variable would allow is checked first, so that all mistakes are reported at once.
  const problems = [
    ...allowEnv.flatMap((pattern) => checkName(pattern, '--allow-env', { mayBePattern: true })),
    ...envFromVariable.flatMap((pattern) => checkName(pattern, 'TRUEUP_ALLOW_ENV', { mayBePattern: true })),
    ...allowEnvShown.flatMap((name) => checkName(name, '--allow-env-shown', { mayBePattern: false })),
    ...allowFiles.flatMap(checkFileGlob),
    ...commands.filter((command): command is Diagnostic => 'code' in command),
    ...allowLive.flatMap((address) => checkAddress(address, '--allow-live')),
    ...liveFromVariable.flatMap((address) => checkAddress(address, 'TRUEUP_ALLOW_LIVE')),
  ];
  if (problems.length > 0) return problems;
  const { noteUse, unusedFlags } = trackUse([
    ...flagsOf('--allow-env', allowEnv),
    ...flagsOf('--allow-env-shown', allowEnvShown),
    ...flagsOf('--allow-files', allowFiles),
    ...flagsOf('--allow-command', allowCommand),
    ...flagsOf('--allow-live', allowLive),
  ]);
  const shownNames = new Set(allowEnvShown);
  const liveAddresses = new Set([...allowLive, ...liveFromVariable]);
  return {
    env: envPermissions([...allowEnv, ...envFromVariable], (pattern) => noteUse(`--allow-env ${pattern}`)),
    envShown: (name) => {
      noteUse(`--allow-env-shown ${name}`);
      return shownNames.has(name);
    },
    files: allowFiles,
    // `commandVerdict` notes the use of these flags.
    commands: (commands as CommandPattern[]).map((pattern, index) => ({
      ...pattern,
      flag: `--allow-command ${allowCommand[index]}`,
    })),
    live: (address) => {
      noteUse(`--allow-live ${address}`);
      return liveAddresses.has(address);
    },
    noteUse,
    unusedFlags,
  };
}

/** Returns the flags of one name as the operator wrote them: `--allow-env TOKEN`. */
const flagsOf = (name: string, values: readonly string[]): string[] =>
  values.map((value) => `${name} ${value}`);

/**
 * Creates the record of which flags had an effect, so that a run can report those without one. `noteUse` records a flag that allows
 * something, or that matches without allowing, because the refusal then names it.
 */
function trackUse(flags: readonly string[]): Pick<Allowances, 'noteUse' | 'unusedFlags'> {
  const unused = new Set(flags);
  return { noteUse: (flag) => void unused.delete(flag), unusedFlags: () => [...unused] };
}

/**
 * Returns the names in TRUEUP_ALLOW_ENV or TRUEUP_ALLOW_LIVE, lists that stand for the flags `--allow-env`
 * and `--allow-live`, without blanks and empty names: `A, B` gives `A` and `B`. A comma in an address is
 * escaped, so it does not separate.
 */
const splitNames = (text = ''): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * Returns the problem with a value of `--allow-live` that is not the address of a single object, such as
 * `projects/web`; an empty list if it is one. The flag lets a configuration copy secrets of an object that
 * its stack does not own. A pattern (`*`, `?`) is refused, because the configuration could copy secrets that
 * the operator never thought of. `flag`: the flag or environment variable, for the message.
 */
function checkAddress(address: string, flag: string): Diagnostic[] {
  if (/^[^\s/*?]+\/[^\s*?]+$/.test(address)) return [];
  const message = address === '' ? 'there is no address' : `${address} is not the address of one object`;
  return [
    problem('allow/live', `${flag}: ${message}`, {
      hint: 'name each object as the error does, for example --allow-live projects/web/protectionBypass/e2e',
    }),
  ];
}

/**
 * Returns the function which decides from which environment variables a configuration may read secrets, by
 * the names and patterns of `--allow-env`. A name allows that variable. A pattern allows credentials only of
 * a service (`STRIPE_*`), not of a cloud or CI system, and only if it begins with the prefix of that service.
 * `noteMatch`: called with each name or pattern that matches, so that unused flags can be reported.
 */
function envPermissions(
  patterns: string[],
  noteMatch: (pattern: string) => void,
): (name: string) => EnvPermission {
  const exactNames = new Set(patterns);
  const globs = patterns
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) => ({ pattern, matches: compilePattern(pattern).matches }));
  return (name) => {
    const matching = globs.filter(({ matches }) => matches(name)).map(({ pattern }) => pattern);
    for (const pattern of [name, ...matching]) noteMatch(pattern);
    if (exactNames.has(name)) return { allowed: true };
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

/**
 * True if every name that a pattern of `--allow-env` matches begins with the prefix of the family (`STRIPE_`), so that it means this
 * service.
 */
const namesFamily = (pattern: string, { prefix }: CredentialFamily): boolean =>
  literalPrefix(pattern).startsWith(prefix);

/**
 * Returns the text of a pattern of `--allow-env` in front of its first `*`, in upper case, to compare it with the prefixes of credentials.
 */
const literalPrefix = (pattern: string): string => pattern.split('*')[0]!.trim().toUpperCase();

/** Compiles a pattern of `--allow-env`, to match names of environment variables. Only `*` has a meaning in it. */
const compilePattern = (pattern: string): Glob =>
  compileGlob(pattern.split('*').map(globOf).join('*'), { hasParts: false });

/**
 * Returns the problem with a name or pattern of `--allow-env`; an empty list if it is valid. It must not be empty or reserved for trueup,
 * have other signs of globs beside `*`, or open too much: the whole environment, or credentials that reach further than one service
 * (`isService`), such as those of a cloud. `flag`: the flag or environment variable that contains it, for the message. `mayBePattern`:
 * false for variables, whose values plans show, so that each must be named.
 */
function checkName(pattern: string, flag: string, { mayBePattern }: { mayBePattern: boolean }): Diagnostic[] {
  const fault = (message: string, hint: string) => [problem('allow/env', `${flag}: ${message}`, { hint })];
  if (pattern.trim() === '') return fault('there is no name', `write ${flag} NAME`);
  if (pattern.includes('*') && !mayBePattern)
    return fault(`${pattern} is a pattern, but values of variables are shown`, 'list each name');
  if (!/[^*?\s]/.test(pattern))
    return fault(
      `${pattern} would allow the whole environment`,
      'name the variables that may be read, for example --allow-env DATABASE_URL or --allow-env "ACME_*"',
    );
  const [syntax] = /[{}[\]?]/.exec(pattern) ?? [];
  if (pattern.includes('*') && syntax !== undefined)
    return fault(
      `${pattern} matches no variable, because \`${syntax}\` stands for itself here`,
      'only `*` stands for other text: pass several patterns otherwise',
    );
  if (pattern.toUpperCase().startsWith('TRUEUP_'))
    return fault(
      `${pattern}: names starting with TRUEUP_ are reserved for trueup`,
      'TRUEUP_VAR_* and TRUEUP_SECRET_* are always allowed; the others are never read',
    );
  const family = pattern.includes('*') ? credentialFamily(literalPrefix(pattern)) : undefined;
  if (family && !family.isService)
    return fault(
      `${pattern} matches only credentials of a cloud, vault, CI system or registry, and no pattern opens those`,
      `write each name: ${flag === '--allow-env' ? '--allow-env NAME --allow-env OTHER' : `${flag}=NAME,OTHER`}`,
    );
  return [];
}

/**
 * Returns the problem with a glob of `--allow-files`, which lets a configuration read files that git does not track; empty if it is valid.
 * An empty glob, or one that would allow every file, is probably a mistake.
 */
function checkFileGlob(glob: string): Diagnostic[] {
  const fault = (message: string, hint: string) => [
    problem('allow/files', `--allow-files: ${message}`, { hint }),
  ];
  if (glob.trim() === '') return fault('there is no path', 'write --allow-files PATH, or a glob');
  if (/[^*?./\\\s]/.test(glob)) return [];
  return fault(
    `${glob} would allow every file`,
    "name the files or their folder, for example --allow-files 'secrets/*.txt'",
  );
}

/** Matches the prefixes of families that no pattern opens. */
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

/** Matches the prefixes of families of services. */
const services =
  /^(SLACK|SENTRY|DATADOG|DD|NEW_RELIC|STRIPE|TWILIO|SENDGRID|OPENAI|ANTHROPIC|HF|SNYK|SONAR|CODECOV|PG)_/;

/**
 * Returns the family of credentials to which an environment variable belongs by the beginning of its name,
 * such as `STRIPE_`; undefined if its name shows none. Used because a broad pattern of `--allow-env` must not
 * open credentials by accident. `isService`: false for clouds, CI systems and the like, which no pattern can
 * open. Ignores case, since some systems do.
 */
function credentialFamily(name: string): CredentialFamily | undefined {
  const upperCase = name.trim().toUpperCase();
  const prefixIn = (pattern: RegExp) => pattern.exec(upperCase)?.[0];
  const prefix = exactOnly.map(prefixIn).find((match) => match !== undefined);
  if (prefix !== undefined) return { prefix, isService: false };
  const service = prefixIn(services);
  return service === undefined ? undefined : { prefix: service, isService: true };
}
