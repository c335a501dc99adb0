import type { RawAnswer } from '../../http/exchange.ts';
import { Problems } from '../../model/diagnostic.ts';
import type { HttpPlace } from './http-place.ts';

/** Says what is wrong with a place, without its secrets. */
export function httpProblem(
  { shown, secrets }: Pick<HttpPlace, 'shown' | 'secrets'>,
  code: string,
  why: string,
  hint: string,
): Problems {
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), why);
  return new Problems(code, `the ledger ${shown}: ${said}`, { hint });
}

/** The server's own message, in one line. */
function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `: ${line.length > 120 ? `${line.slice(0, 120)}...` : line}`;
}

/** The target of a redirect, without what may be a secret in it. */
const originOf = (location: string | string[] | undefined, base: URL): string => {
  const [to = ''] = [location].flat();
  return URL.canParse(to, base.href) ? new URL(to, base).origin : 'nowhere';
};

/** Turns an answer that is no success into a problem that says what to do. */
export function refusedBy(store: HttpPlace, doing: string, { status, text, headers }: RawAnswer): Problems {
  const isPage = text.trimStart().startsWith('<');
  const why = `${doing} was answered with ${status}${isPage ? '' : excerptOf(text)}`;
  const say = (code: string, hint: string) => httpProblem(store, code, why, hint);
  if (status === 401 || status === 403)
    return say(
      'ledger/http-denied',
      store.isGitLab
        ? 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to a token with the scope `api`; to write, its user must be a Maintainer'
        : 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to what the server knows',
    );
  if (status === 413)
    return say(
      'ledger/http-too-large',
      'the server has a limit for one document: raise it, or keep the ledger elsewhere (`trueup ledger copy`)',
    );
  if (status >= 300 && status < 400)
    return say(
      'ledger/http-answer',
      `redirects are not followed, and this one leads to ${originOf(headers.location, store.url)}: use the right address, or set TF_HTTP_USERNAME and TF_HTTP_PASSWORD if it is a login page`,
    );
  if (status === 422 && store.isGitLab)
    return say(
      'ledger/http-answer',
      'GitLab is deleting this state, or has a newer version of it than the one it serves: look at it under Operate, Terraform states',
    );
  if (status === 408 || status === 429 || status >= 500)
    return say('ledger/http-unreachable', 'wait until the server is well, then run trueup again');
  return say(
    'ledger/http-answer',
    'check the address: it must speak the protocol of Terraform\'s backend "http"',
  );
}
