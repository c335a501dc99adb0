/**
 * Reads `ledger:` of a header or of trueup.workspace.yaml: the place of the ledgers, in the form that `--ledger` takes.
 *
 *   place   `git`, `git:REMOTE`, the path of a file, or the URL of a store. A path starts at the folder of the YAML file that names it.
 *
 * A place is only read here. Whether it may be used is decided like for all other sources that the YAML names (see `sources/sources.ts`),
 * because the YAML may come from a pull request.
 */
import type { Position, Reporter } from '../model/diagnostic.ts';
import { isGitPlace, isStoreUrl } from '../model/ledger-place.ts';
import { isText, maskNode, type Node, reportType } from './yaml/nodes.ts';
import { positionOf } from './yaml/source.ts';

/** The place of ledgers that the YAML names, not yet allowed. */
export interface DeclaredLedger {
  place: string;
  /** The file that names it. */
  origin: 'header' | 'workspace';
  /** The folder of that file: a path starts there. */
  folder: string;
  at: Position;
}

const placeHint =
  '`ledger: git`, `git:REMOTE`, a file such as `.trueup/ledger/shop.json`, or the URL of a store such as `s3://bucket/trueup`';

/** The parameters of stores' URLs that hold no credentials. Any other parameter may be one. */
const harmlessParameters = ['schema', 'host', 'sslmode', 'sslrootcert', 'endpoint', 'region'];

/**
 * Returns the place of ledgers that `ledger:` names. Returns undefined after a report: of another type, of an expression (a variable could
 * move the ledger), of credentials in a URL, and of a place that can hold only one ledger if there are several (`servesSeveral`): in a
 * workspace, or with stages.
 */
export function readLedgerPlace(
  node: Node,
  { origin, servesSeveral }: Pick<DeclaredLedger, 'origin'> & { servesSeveral: boolean },
  report: Reporter,
): DeclaredLedger | undefined {
  if (!isText(node) || node.text === '') {
    maskNode(node);
    return reportType(report, node, '`ledger` must be the place of the ledger', placeHint);
  }
  const ledgerPlace = node.text;
  const fail = (message: string, hint: string) => report.error('config/ledger', message, { at: node, hint });
  /** Like `fail`, for a place that may contain credentials in a form that is not recognized. */
  const failMasked: typeof fail = (message, hint) => {
    maskNode(node);
    return fail(message, hint);
  };
  if (ledgerPlace.includes('${'))
    return failMasked('`ledger` takes no expressions', `write the place itself: ${placeHint}`);
  if (isGitPlace(ledgerPlace) && !/^git(:\w[\w./-]*)?$/.test(ledgerPlace))
    return failMasked(
      '`git:` must be followed by the name of a remote',
      '`git remote` lists the names; the address and credentials of a remote belong in git’s own configuration',
    );
  if (isStoreUrl(ledgerPlace) && hasCredentials(ledgerPlace))
    return failMasked(
      'the URL of `ledger` contains a user, a password or another credential, which everybody with the repository can read',
      'change that credential, and pass it by the environment: PGUSER and PGPASSWORD, TF_HTTP_USERNAME and TF_HTTP_PASSWORD, or a form that the AWS SDK accepts',
    );
  if (servesSeveral && canHoldOnlyOne(ledgerPlace))
    return fail(
      `one ${isStoreUrl(ledgerPlace) ? 'address' : 'file'} cannot be the ledger of several stacks or stages`,
      'use `git`, or the URL of a store; in an HTTP address write {stack} for the name of the stack',
    );
  return { place: ledgerPlace, origin, folder: node.at.source.folder ?? '.', at: positionOf(node.at) };
}

/**
 * True if the URL of a store in `ledger:` contains a user, a password or a parameter that may be a secret, or cannot be read. It is refused
 * then, because the YAML is committed.
 */
function hasCredentials(place: string): boolean {
  if (!URL.canParse(place)) return true;
  const url = new URL(place);
  const { username, password, searchParams, hash, pathname } = url;
  // A password with one of these characters ends the host name early.
  const isCut = hash !== '' || pathname.includes('@');
  // The parameters of an HTTP address belong to the server, so each of them may be a secret.
  const isHttp = /^https?:$/.test(url.protocol);
  const maySecretBeIn = (name: string) => isHttp || !harmlessParameters.includes(name);
  return username !== '' || password !== '' || isCut || [...searchParams.keys()].some(maySecretBeIn);
}

/**
 * True if a place can hold the ledger of only one stack: a file, or an HTTP address without `{stack}` (`%7Bstack%7D` if it is encoded). A
 * workspace or a configuration with stages cannot name such a place, because its stacks would share one ledger.
 */
function canHoldOnlyOne(place: string): boolean {
  if (isGitPlace(place)) return false;
  const isFile = !isStoreUrl(place);
  const isHttp = /^https?:/i.test(place);
  const namesStack = /\{stack\}|%7Bstack%7D/i.test(place);
  return isFile || (isHttp && !namesStack);
}
