import { Problems, problem } from '../../model/diagnostic.ts';
import type { HttpPlace } from './http-place.ts';

/** Says what is wrong with a place, without its secrets. */
export function httpProblem(
  { shown, secrets }: Pick<HttpPlace, 'shown' | 'secrets'>,
  code: string,
  why: string,
  hint: string,
): Problems {
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), why);
  return new Problems([problem(code, `the ledger ${shown}: ${said}`, { hint })]);
}

/** What a server says of itself, in a line. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `: ${line.length > 120 ? `${line.slice(0, 120)}...` : line}`;
}

/** Turns an answer that is no success into a problem that says what to do. */
export function refusedBy(place: HttpPlace, doing: string, status: number, text: string): Problems {
  const why = `${doing} was answered with ${status}${excerptOf(text)}`;
  const say = (code: string, hint: string) => httpProblem(place, code, why, hint);
  if (status === 401 || status === 403)
    return say(
      'ledger/http-denied',
      place.isGitLab
        ? 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to a token with the scope `api`; to write, its user must be a Maintainer'
        : 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to what the server knows',
    );
  if (status === 413)
    return say(
      'ledger/http-too-large',
      'the server has a limit for one document: raise it, or keep the ledger elsewhere (`trueup ledger copy`)',
    );
  if (status >= 300 && status < 400)
    return say('ledger/http-answer', 'name the address that the server leads to: redirects are not followed');
  if (status === 408 || status === 429 || status >= 500)
    return say('ledger/http-unreachable', 'wait until the server is well, then run trueup again');
  return say(
    'ledger/http-answer',
    'check the address: it must speak the protocol of Terraform\'s backend "http"',
  );
}
