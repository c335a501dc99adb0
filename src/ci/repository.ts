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
  /** The values and permissions that CI has to give beside secrets of the environment, and notes on anything else: each in lines. */
  notes: string[][];
}

/** The name of a secret among those of an environment on GitHub, by its variable: in capitals, since GitHub tells no others apart. */
export const secretName = ({ env }: CiSecret): string => env.toUpperCase();

/** Those that the YAML may read only where the operator names them. */
export const allowedNames = (secrets: CiSecret[]): string[] =>
  secrets.map(({ env }) => env).filter((env) => !env.startsWith('TRUEUP_SECRET_'));
