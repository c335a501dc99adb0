import { listed } from '../report/count.ts';

/** The repository as a workflow has to know it. Paths start at its top and have `/`. */
export interface CiRepository {
  /** The default branch. */
  branch: string;
  /** The folder with package.json and package-lock.json; empty for the top. */
  tool: string;
  /** The configuration of the one stack, a file or a folder; or the folder of the workspace, empty for the top. */
  stacks: { file: string } | { workspace: string };
  /** The secrets that jobs of the default branch need. */
  secrets: CiSecret[];
  /** The variables of the configuration that have no value in it, and the one of the environment that gives each: `TRUEUP_VAR_name`. */
  variables: CiSecret[];
}

/** A secret or a variable of the configuration that comes from the environment. */
export interface CiSecret {
  /** As the configuration calls it. */
  name: string;
  /** The variable of the environment that it is read from: a letter or `_`, then letters of ASCII, digits and `_`. */
  env: string;
}

/** A file that CI needs, with its path from the top of the repository. */
export interface CiFile {
  path: string;
  text: string;
}

/** The facts that no file holds: for whoever sets CI up. */
export interface CiNeeds {
  /** Whose accounts the stacks are about: `team acme`. */
  accounts: string[];
  /** True if the lockfile has trueup. */
  hasTool: boolean;
  /** The place of the key that signs ledgers on this machine: `.trueup/key` or `TRUEUP_LEDGER_KEY`. Undefined if there is none. */
  keyPlace: string | undefined;
  /** The values and permissions that CI has to give beside secrets of the environment, and notes on anything else: each in lines. */
  notes: string[][];
}

/** The name of a secret among those of an environment on GitHub, by its variable: in capitals, since GitHub tells no others apart. */
export const secretName = ({ env }: CiSecret): string => env.toUpperCase();

/** Those that the YAML may read only where the operator names them. */
export const allowedNames = (secrets: CiSecret[]): string[] =>
  secrets.map(({ env }) => env).filter((env) => !env.startsWith('TRUEUP_SECRET_'));

/** A secret or a variable to be set, where, and what it is. */
export type Setting = readonly [name: string, where: string, about: string];

const jobsOfMain = 'plan-main, production';

/** The settings of the environments of any host; `nameOf` is the host's name for a variable of the environment. */
export const secretSettings = (
  { secrets }: CiRepository,
  { accounts, keyPlace }: CiNeeds,
  nameOf: (secret: CiSecret) => string,
): Setting[] => [
  ['TRUEUP_TOKEN', 'plan', `a read-only token${reach(accounts)}`],
  ['TRUEUP_TOKEN', jobsOfMain, 'one with write access'],
  ['TRUEUP_LEDGER_KEY', jobsOfMain, ledgerKeyText(keyPlace)],
  ...secrets.map((secret) => [nameOf(secret), jobsOfMain, `the secret ${secret.name}`] as const),
];

/** Says where the key of the ledger comes from. With another key, CI would not accept the ledgers that this machine signed. */
const ledgerKeyText = (keyPlace: string | undefined): string =>
  keyPlace === undefined
    ? '`trueup ledger key --print` creates it; keep a copy somewhere safe'
    : `the key of this machine, in ${keyPlace}; do not create another one`;

const reach = (accounts: string[]): string =>
  accounts.length > 1 ? `; it has to reach ${listed(accounts)}` : `, for ${accounts.join()}`;

/** Each setting as a line of a table. No line is for a shell: names of a configuration are in them. */
export function settingLines(settings: readonly Setting[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...settings.map((setting) => setting[column]!.length)));
  return settings.map(
    ([name, where, about]) => `  ${name.padEnd(widths[0]!)}  ${where.padEnd(widths[1]!)}  ${about}`,
  );
}
