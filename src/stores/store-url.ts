import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';

/** The kinds of stores that a URL can name. */
type StoreKind = 'postgres' | 'http' | 's3';

/** The kind of a store by the scheme of its URL. */
const kindsByScheme: Record<string, StoreKind> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  's3:': 's3',
  'https:': 'http',
  'http:': 'http',
};

/** A store that `--ledger` or TRUEUP_LEDGER names by its URL. */
export interface StoreUrl {
  storeKind: StoreKind;
  url: URL;
}

/** The option whose value is a URL: `--ledger`, `--limits`, or a fleet's `--queue`. It decides the code of a problem. */
export type UrlUse = keyof typeof urlCodes;

const urlCodes = { ledger: 'ledger/url', limits: 'cli/database-url', queue: 'cli/database-url' };

/**
 * Parses the URL of a store. Throws `Problems`, which never quote the URL, because it may contain a password.
 * @param isArgument true if the URL is in the command line, which every user of the machine can read. A password is then refused
 */
export function readStoreUrl(text: string, isArgument: boolean): StoreUrl {
  const url = readUrl(text, 'ledger');
  const storeKind =
    kindsByScheme[url.protocol] ??
    raise(
      urlProblem(
        `trueup cannot keep ledgers at a URL that begins with ${url.protocol}//`,
        `use ${[...new Set(Object.keys(kindsByScheme))].map((scheme) => `${scheme}//`).join(', ')}, \`git\` or the path of a file`,
      ),
    );
  if (isArgument) refusePassword(url, storeKind, 'ledger');
  return { storeKind, url };
}

/** The messages for a URL that does not name a PostgreSQL database. */
const notPostgres = {
  limits: 'shared limits are kept in PostgreSQL, and this URL names something else',
  queue: 'the queue of a fleet is kept in PostgreSQL, and this URL names something else',
};

/**
 * Parses the URL of `--limits` (shared rate limits) or `--queue` (jobs of a fleet), which only PostgreSQL can hold.
 * Throws `Problems` for a text that is no URL, for URLs of other stores, and for a password in a command line
 * (`isArgument`), which every user of the machine can read.
 */
export function readDatabaseUrl(text: string, isArgument: boolean, use: keyof typeof notPostgres): URL {
  const url = readUrl(text, use);
  if (kindsByScheme[url.protocol] !== 'postgres')
    raise(urlProblem(notPostgres[use], `for example \`--${use} postgres://db.example.com/trueup\``, use));
  if (isArgument) refusePassword(url, 'postgres', use);
  return url;
}

/**
 * Parses the URL of a store. Throws `Problems` if it is not a URL, or if an unencoded character in the password has
 * split it. The message does not quote the URL, because it may contain a password. `use`: the option that the URL
 * comes from.
 */
function readUrl(text: string, use: UrlUse): URL {
  let url: URL;
  try {
    url = new URL(text);
    // Throws for a `%` without two hexadecimal digits.
    decodeURIComponent(url.href);
  } catch {
    raise(unreadableProblem(use));
  }
  // A password that contains one of these characters ends the host name early, so that the rest would be read as a path.
  if (url.hash !== '' || url.pathname.includes('@')) raise(unreadableProblem(use));
  return url;
}

/**
 * Throws `Problems` if a URL in the command line contains a password, because every user of the machine can read
 * command lines. Says how to pass it instead.
 */
function refusePassword(url: URL, storeKind: StoreKind, use: UrlUse): void {
  if (url.password === '' && !url.searchParams.has('password')) return;
  const message = `the URL of --${use} contains a password, which every user of this machine can read`;
  raise('cli/password', message, { hint: passwordHints[storeKind] });
}

const passwordHints: Record<StoreKind, string> = {
  s3: 'pass credentials in a form that the AWS SDK accepts: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or web identity; change these credentials, because they were exposed',
  http: 'pass it as TF_HTTP_PASSWORD; change it, because it was exposed',
  postgres: 'pass it as PGPASSWORD, or in the file that PGPASSFILE names; change it, because it was exposed',
};

/**
 * Returns the problem that a URL such as that of `--ledger` cannot be read, with the characters that have to be
 * encoded. Does not quote the URL, because it may contain a password. `use`: the option without dashes.
 */
const unreadableProblem = (use: UrlUse) =>
  urlProblem(
    `the URL of the ${use} cannot be read`,
    `for example \`--${use} postgres://db.example.com/trueup\`; in a name or a password write %23 for #, %25 for %, %2F for /, %3F for ? and %40 for @`,
    use,
  );

/** Makes a problem with a URL. `use` names the option that it was passed to. */
export function urlProblem(message: string, hint: string, use: UrlUse = 'ledger'): Diagnostic {
  return problem(urlCodes[use], message, { hint });
}

/** Throws `Problems` for unknown parameters of a URL. They are not quoted, because they may be the rest of a password that contains `?`. */
export function refuseUnknownParameters(
  query: URLSearchParams,
  knownNames: readonly string[],
  use: UrlUse = 'ledger',
): void {
  if ([...query.keys()].every((name) => knownNames.includes(name))) return;
  const documentedNames = knownNames.filter((name) => name !== 'password').join(', ');
  raise(
    urlProblem(
      `the URL of the ${use} has an unknown parameter`,
      `known parameters: ${documentedNames}; in a password write %3F for ?`,
      use,
    ),
  );
}

/** Matches the placeholder for the name of the stack in a URL, as written and as `URL` encodes it. */
export const stackPlaceholder = /\{stack\}|%7Bstack%7D/gi;

/** True if a URL has a placeholder for the stack, so that it serves all stacks. */
export const hasStackPlaceholder = (url: URL): boolean =>
  new RegExp(stackPlaceholder.source, 'i').test(url.href);

/** True if a URL can only hold the ledger of one stack. */
export const servesOneStack = ({ storeKind, url }: StoreUrl): boolean =>
  storeKind === 'http' && !hasStackPlaceholder(url);

/**
 * Parses the URL of `--ledger-index`: the document that lists all ledgers on a server that cannot list them itself.
 * Throws `Problems` unless it is the address of one document over HTTP, without `{stack}`. `isArgument`: the URL comes from the command
 * line, where it must not contain a password.
 */
export function readIndexUrl(text: string, isArgument: boolean): StoreUrl {
  const index = readStoreUrl(text, isArgument);
  if (index.storeKind === 'http' && !hasStackPlaceholder(index.url)) return index;
  raise('ledger/url', 'the index of the ledgers is not the URL of one document over HTTP', {
    hint: 'for example `--ledger-index https://state.example.com/ledgers`; other stores need no index',
  });
}
