import { type Diagnostic, shellWord } from './diagnostic.ts';
import { addressWithoutTarget } from './logical-changes.ts';
import { jsonSecretAdvice, type NamedSecret } from './secret-families.ts';

/** The wording for several problems of one code as one. */
export interface Wording {
  /**
   * Returns the subject of a problem, for the list of names. If it is absent, the message is enough, and a single problem gets this wording
   * as well.
   */
  subjectOf?(diagnostic: Diagnostic): string | undefined;
  /** `subjects`: the number of different subjects; `problems`: the number of problems. */
  message(subjects: number, problems: number): string;
  /** True if the problems are about missing secrets, whose families get a line each. */
  isMissingSecret?: true;
  /**
   * Gets the environment variables of all problems, and their secrets. Default: no hint, unless the problems have a common one
   * (`alike.hint`).
   */
  hint?(variables: string[], secrets: NamedSecret[]): string | undefined;
}

const fewWordings = 3;

/** Formats names as a list with the first three, for a folded message: `a`, `a and b`, `a, b, c and 4 more`. */
export function listFew(names: readonly string[]): string {
  const more = names.length - fewWordings;
  if (more > 0) return `${names.slice(0, fewWordings).join(', ')} and ${more} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Lists the first names, separated by commas, and the number of the others: `a, b and 4 more`. */
export function listFirst(names: readonly string[], limit: number): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxListedUsers = 10;

/** Returns the end of the message about a missing secret that names the objects which need it; empty without any. */
export const neededByText = (addresses: readonly string[]): string =>
  addresses.length === 0 ? '' : `; needed by ${listFirst(addresses, maxListedUsers)}`;

const secretNameOf = ({ secret }: Diagnostic) => secret?.name;
const resourceOf = ({ address }: Diagnostic) => address && addressWithoutTarget(address);

/** The wordings by code. Problems with another code get a general one. */
export const wordings: Readonly<Record<string, Wording | undefined>> = {
  'secret/unset': {
    subjectOf: secretNameOf,
    isMissingSecret: true,
    message: (count) => `${count} secrets are not available, since their environment variables are not set`,
    hint: (variables, secrets) =>
      `set ${listFew(variables)}${variables.length > fewWordings ? '; `trueup secrets` lists all' : ''}${jsonSecretAdvice(secrets)}`,
  },
  'secret/stand-in': {
    subjectOf: secretNameOf,
    message: (count) =>
      `using placeholders for ${count} secrets (secrets are not read for the embedded twin)`,
  },
  'source/env': {
    subjectOf: secretNameOf,
    isMissingSecret: true,
    message: (count) =>
      `${count} secrets are not available, since their environment variables may not be read`,
    hint: (variables) => {
      const first = variables.slice(0, fewWordings);
      const flags = first.map((name) => `--allow-env ${shellWord(name)}`).join(' ');
      const more = variables.length > fewWordings ? ', and so on' : '';
      return `write \`NAME: {}\` and set TRUEUP_SECRET_NAME, or allow them with ${flags}${more}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: ${first.join(',')}\`${more}`;
    },
  },
  'source/file': {
    subjectOf: secretNameOf,
    isMissingSecret: true,
    message: (count) => `${count} secrets are not available, since their files may not be read`,
    hint: () =>
      "allow each file with --allow-files FILE, or several with a glob such as --allow-files 'secrets/*.txt'",
  },
  'source/command': {
    subjectOf: secretNameOf,
    isMissingSecret: true,
    message: (count) => `${count} secrets are not available, since their commands may not run`,
    hint: () => "allow them with --allow-command, for example --allow-command 'op read op://deploy/*'",
  },
  'secret/not-compared': {
    subjectOf: resourceOf,
    message: (count) => `the secrets of ${count} resources are not available here, so they were not compared`,
  },
  'secret/previous-key': {
    subjectOf: resourceOf,
    message: (count) =>
      `the ledger entries for secrets of ${count} resources stay under the previous ledger key, since those secrets are not available here`,
    hint: () => 'keep TRUEUP_LEDGER_KEY_PREVIOUS until they have been applied with their secrets',
  },
  'secret/unverified': {
    subjectOf: resourceOf,
    message: (count) =>
      `the secrets of ${count} resources cannot be read back, and their last applied values are unknown`,
    hint: () => 'they are left as they are; to send them once, use --send-unverified GLOB',
  },
  'secret/changed-outside': {
    subjectOf: resourceOf,
    message: (count) =>
      `${count} resources may have changed outside: the platform has later writes than ours, and their secrets cannot be read back`,
    hint: () => 'they are left as they are; to send them once, use --send-unverified GLOB',
  },
  'stack/left': {
    subjectOf: resourceOf,
    message: (count) => `${count} resources are not declared here and are kept: other stacks own them`,
    hint: () => '`$exclusive` deletes nothing of another stack',
  },
  // There is one cause, and one thing to do, for any number of secrets.
  'secret/no-key': {
    message: (_, count) =>
      `TRUEUP_LEDGER_KEY is not set: ${count === 1 ? '1 secret is' : `${count} secrets are`} not compared`,
    hint: () =>
      'set it to the key the ledger was written with; until then, secrets that are not compared stay as they are',
  },
  'secret/before-apply': {
    message: (_, count) =>
      `${count === 1 ? '1 secret is' : `${count} secrets are`} not compared before the first apply`,
    hint: () => '`trueup apply` compares secrets, and asks before it changes anything',
  },
  'secret/key-left-out': {
    message: (_, count) =>
      `${count === 1 ? '1 secret is' : `${count} secrets are`} not compared: that takes the ledger key, which plans of pull requests never have`,
  },
};

/** Codes for names without a declaration: one declaration solves all mentions of the name. */
export const missingNames: ReadonlySet<string> = new Set(['config/undeclared', 'ref/undeclared']);
