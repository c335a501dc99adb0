import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { type CommandPattern, parseCommand } from './command-pattern.ts';

/** The sources that the operator lets a configuration read, beyond what is free. */
export interface Allowances {
  /** For secrets. */
  env(name: string): boolean;
  /** For variables, whose values are shown. */
  envShown(name: string): boolean;
  /** Globs, as they were given. */
  files: string[];
  commands: CommandPattern[];
}

/** The options behind the allowances. */
export interface AllowOptions {
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
}

export const nothingAllowed: Allowances = {
  env: () => false,
  envShown: () => false,
  files: [],
  commands: [],
};

/** Reads the allowances from flags and TRUEUP_ALLOW_ENV; what is wrong with them is told all at once. */
export function readAllowances(
  { allowEnv = [], allowEnvShown = [], allowFiles = [], allowCommand = [] }: AllowOptions,
  fromEnv = '',
): Allowances | Diagnostic[] {
  const names = fromEnv.split(',').map((name) => name.trim());
  const given = [
    ...allowEnv.map((pattern) => ({ pattern, by: '--allow-env' })),
    ...names.filter((name) => name !== '').map((pattern) => ({ pattern, by: 'TRUEUP_ALLOW_ENV' })),
  ];
  const shown = allowEnvShown.map((pattern) => ({ pattern, by: '--allow-env-shown' }));
  const commands = allowCommand.map(parseCommand);
  const problems = [
    ...given.flatMap(({ pattern, by }) => wrongName(pattern, by, true) ?? []),
    ...shown.flatMap(({ pattern, by }) => wrongName(pattern, by, false) ?? []),
    ...allowFiles.flatMap((glob) => wrongGlob(glob) ?? []),
    ...commands.filter((one): one is Diagnostic => 'code' in one),
  ];
  if (problems.length > 0) return problems;
  const exact = new Set(given.map(({ pattern }) => pattern));
  const globs = given.filter(({ pattern }) => pattern.includes('*')).map(({ pattern }) => globOf(pattern));
  const exactlyShown = new Set(allowEnvShown);
  return {
    env: (name) => exact.has(name) || (!isCredential(name) && globs.some((glob) => glob.test(name))),
    envShown: (name) => exactlyShown.has(name),
    files: allowFiles,
    commands: commands as CommandPattern[],
  };
}

const globOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`, 's');
const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

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

/**
 * Environment variables that hold what programs and CI systems sign in with. A pattern of `--allow-env` never means them: whoever
 * wants one of them to be read writes its name.
 */
const known = [
  // Clouds and keepers of secrets
  /^(AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|ALIBABA_CLOUD|OCI|IBMCLOUD|DIGITALOCEAN|HCLOUD|CLOUDFLARE|CF|FASTLY|HEROKU|FLY|NETLIFY|VERCEL)_/,
  /^(VAULT|OP|BW|BWS|DOPPLER|INFISICAL|AKEYLESS|CONJUR|SOPS|AGE|LASTPASS|KEEPER)_/,
  /^(TF|TFE|TF_VAR|PULUMI|ATLAS|ATLANTIS|CONSUL|NOMAD)_/,
  // CI systems, and what they hand out
  /^(GITHUB|GH|GITEA|FORGEJO|GITLAB|GL|ACTIONS|RUNNER|CI|BITBUCKET|CIRCLE|BUILDKITE|TRAVIS|DRONE|JENKINS|TEAMCITY|APPVEYOR|SEMAPHORE|SYSTEM|AGENT)_/,
  /^(SYSTEM_ACCESSTOKEN|AZURE_DEVOPS_EXT_PAT)$/,
  // Git, SSH, registries
  /^(GIT|SSH|GPG|NPM|NPM_CONFIG|NODE_AUTH|YARN|PNPM|BUN|CARGO|PYPI|PIP|UV|POETRY|TWINE|GEM|BUNDLE|RUBYGEMS|MAVEN|GRADLE|NUGET|DOCKER|REGISTRY|HELM|COMPOSER)_/,
  // Systems of others
  /^(SLACK|SENTRY|DATADOG|DD|NEW_RELIC|STRIPE|TWILIO|SENDGRID|OPENAI|ANTHROPIC|HF|SNYK|SONAR|CODECOV|PG|PGP|KUBE|K8S)_/,
  /^(PGPASSWORD|MYSQL_PWD|KUBECONFIG|REDISCLI_AUTH|COOKIE|NETRC)$/,
];

/** True if an environment variable is known to hold a credential. On some systems names differ in case only. */
export const isCredential = (name: string): boolean =>
  known.some((pattern) => pattern.test(name.trim().toUpperCase()));
