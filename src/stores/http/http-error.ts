import type { RawAnswer } from '../../http/exchange.ts';
import { Problems } from '../../model/diagnostic.ts';
import type { HttpPlace } from './http-place.ts';

/**
 * Makes a problem with a ledger on a server. Credentials in the message are masked. A server may quote the request,
 * and so the password.
 */
export function httpProblem(
  { shown, secrets }: Pick<HttpPlace, 'shown' | 'secrets'>,
  code: string,
  message: string,
  hint: string,
): Problems {
  const maskedMessage = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
  return new Problems(code, `the ledger ${shown}: ${maskedMessage}`, { hint });
}

/** Returns the beginning of the server's own message as one line, to end our message with; empty if there is none. */
function quoteBody(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `: ${line.length > 120 ? `${line.slice(0, 120)}...` : line}`;
}

/** Returns the origin of a redirect's target. Its path is not shown, because it may contain a secret. */
const redirectOriginOf = (location: string | string[] | undefined, base: URL): string => {
  const [target = ''] = [location].flat();
  return URL.canParse(target, base.href) ? new URL(target, base).origin : 'nowhere';
};

/**
 * Turns an answer that is not a success into a problem with a hint. `activity` names the request, for example
 * `reading it`. Users cannot fix a bare status, so each common one gets a remedy.
 */
export function toAnswerProblem(
  store: HttpPlace,
  activity: string,
  { status, text, headers }: RawAnswer,
): Problems {
  const isPage = text.trimStart().startsWith('<');
  const message = `${activity} was answered with ${status}${isPage ? '' : quoteBody(text)}`;
  const problemWith = (code: string, hint: string) => httpProblem(store, code, message, hint);
  if (status === 401 || status === 403)
    return problemWith(
      'ledger/http-denied',
      store.isGitLab
        ? 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to a token with the scope `api`; to write, its user must be a Maintainer'
        : 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to credentials that the server accepts',
    );
  if (status === 413)
    return problemWith(
      'ledger/http-too-large',
      'the server has a limit for one document: raise it, or move the ledger to another store (`trueup ledger copy`)',
    );
  if (status >= 300 && status < 400)
    return problemWith(
      'ledger/http-answer',
      `redirects are not followed, and this one leads to ${redirectOriginOf(headers.location, store.url)}: use the right address, or set TF_HTTP_USERNAME and TF_HTTP_PASSWORD if it is a login page`,
    );
  if (status === 422 && store.isGitLab)
    return problemWith(
      'ledger/http-answer',
      'GitLab is deleting this state, or has a newer version of it than the one it serves: look at it under Operate, Terraform states',
    );
  if (status === 408 || status === 429 || status >= 500)
    return problemWith('ledger/unreachable', 'wait until the server works again, then run trueup again');
  return problemWith(
    'ledger/http-answer',
    'check the address: it must speak the protocol of Terraform\'s backend "http"',
  );
}
