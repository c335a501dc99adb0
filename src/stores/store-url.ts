import { Problems } from '../model/diagnostic.ts';

/** The sorts of stores that a URL names. */
type StoreSort = 'postgres' | 'http' | 's3';

const sorts: Record<string, StoreSort> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  's3:': 's3',
  'https:': 'http',
  'http:': 'http',
};

/** A store that `--ledger` or TRUEUP_LEDGER names by its URL. */
export interface StoreUrl {
  sort: StoreSort;
  url: URL;
}

/** The option that a URL is given for: `--ledger`, `--limits`, or a fleet's `--queue`. Problems with it have this in their code. */
export type UrlUse = keyof typeof codes;

const codes = {
  ledger: { url: 'ledger/url', password: 'ledger/password' },
  limits: { url: 'limits/url', password: 'limits/password' },
  queue: { url: 'fleet/queue-url', password: 'fleet/queue-password' },
} as const;

/** True if this names a store by its URL: anything with a scheme, so that a slip is no file of an odd name. */
export const isStoreUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text);

/**
 * Reads the URL of a store. `isArgument`: it stands in the command line, which everybody on the machine can read: there a password
 * is refused. Throws `Problems`, which never quote it: it may hold one.
 */
export function readStoreUrl(text: string, isArgument: boolean): StoreUrl {
  const url = readUrl(text, 'ledger');
  const sort = sorts[url.protocol];
  if (!sort)
    throw refused(
      `trueup cannot keep ledgers at a URL that begins with ${url.protocol}//`,
      `there are ${[...new Set(Object.keys(sorts))].map((one) => `${one}//`).join(', ')}, \`git\`, and files`,
    );
  if (isArgument) refusePassword(url, sort, 'ledger');
  return { sort, url };
}

/** Said of a URL that names no PostgreSQL database. */
const inDatabase = {
  limits: 'shared limits are kept in PostgreSQL, and this URL names something else',
  queue: 'the queue of a fleet is kept in PostgreSQL, and this URL names something else',
};

/** Reads the URL of the database of `--limits` or `--queue`, as that of a store is read. Throws `Problems`. */
export function readDatabaseUrl(text: string, isArgument: boolean, use: keyof typeof inDatabase): URL {
  const url = readUrl(text, use);
  if (sorts[url.protocol] !== 'postgres')
    throw refused(inDatabase[use], `for example \`--${use} postgres://db.example.com/trueup\``, use);
  if (isArgument) refusePassword(url, 'postgres', use);
  return url;
}

function readUrl(text: string, use: UrlUse): URL {
  let url: URL;
  try {
    url = new URL(text);
    decodeURIComponent(url.href);
  } catch {
    throw unreadable(use);
  }
  // A password with one of these in it looks like a host and the rest of an address.
  if (url.hash !== '' || url.pathname.includes('@')) throw unreadable(use);
  return url;
}

function refusePassword(url: URL, sort: StoreSort, use: UrlUse): void {
  if (url.password === '' && !url.searchParams.has('password')) return;
  const said = `the URL of --${use} contains a password, which everybody on this machine can read`;
  throw new Problems(codes[use].password, said, { hint: hints[sort] });
}

const hints: Record<StoreSort, string> = {
  s3: 'give credentials as the AWS SDK takes them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or web identity; and change these, since they were exposed',
  http: 'give it as TF_HTTP_PASSWORD; and change it, since it was exposed',
  postgres:
    'give it as PGPASSWORD, or in the file that PGPASSFILE names; and change it, since it was exposed',
};

const unreadable = (use: UrlUse) =>
  refused(
    `the URL of the ${use} cannot be read`,
    `for example \`--${use} postgres://db.example.com/trueup\`; in a name or a password write %23 for #, %25 for %, %2F for /, %3F for ? and %40 for @`,
    use,
  );

export function refused(message: string, hint: string, use: UrlUse = 'ledger'): Problems {
  return new Problems(codes[use].url, message, { hint });
}

/** Refuses a URL with parameters that nobody knows. They are not quoted: after a `?` in a password comes the rest of it. */
export function refuseOthers(query: URLSearchParams, known: readonly string[], use: UrlUse = 'ledger'): void {
  if ([...query.keys()].every((name) => known.includes(name))) return;
  const shown = known.filter((name) => name !== 'password').join(', ');
  throw refused(
    `the URL of the ${use} has an unknown parameter`,
    `there are ${shown}; in a password write %3F for ?`,
    use,
  );
}

/** In a URL it stands for the name of the stack. As it is parsed, and as somebody may write it. */
export const stackHole = /\{stack\}|%7Bstack%7D/gi;

/** True if a URL serves any stack: it says where the name of the stack goes. */
export const isOfAnyStack = (url: URL): boolean => new RegExp(stackHole.source, 'i').test(url.href);

/** True if a URL can only be the ledger of one stack. */
export const isOfOneStack = ({ sort, url }: StoreUrl): boolean => sort === 'http' && !isOfAnyStack(url);

/** Reads the URL of an index of ledgers. Throws `Problems`. */
export function readIndexUrl(text: string, isArgument: boolean): StoreUrl {
  const index = readStoreUrl(text, isArgument);
  if (index.sort === 'http' && isOfOneStack(index)) return index;
  throw new Problems('ledger/url', 'the index of the ledgers is no URL of one document over HTTP', {
    hint: 'for example `--ledger-index https://state.example.com/ledgers`; other stores list their ledgers by themselves',
  });
}
