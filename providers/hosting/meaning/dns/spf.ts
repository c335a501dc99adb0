/**
 * Reads SPF records, the TXT records that say who may send mail for a name, and counts the DNS lookups of their evaluation (RFC 7208).
 *
 *   | term                                 | lookups                                                      |
 *   | ------------------------------------ | ------------------------------------------------------------ |
 *   | `include`, `redirect`                | 1, and those of the record they name if a zone of the view has it |
 *   | `a`, `mx`, `ptr`, `exists`           | 1                                                            |
 *   | `all`, `ip4`, `ip6`, other modifiers | 0                                                            |
 *
 * Terms behind `all` are never evaluated, and `redirect` only without an `all` (sections 5.1 and 6.1). Evaluation stops at the first term
 * that matches, so the count is that of a sender who matches none before.
 */
import { isIPv4, isIPv6 } from 'node:net';

export interface SpfTerm {
  text: string;
  /** `+`, `-`, `~` or `?`; undefined for a modifier. */
  qualifier: string | undefined;
  /** In lower case: `include`. */
  name: string;
  /** The text behind `:` or `=`, with a prefix length. */
  value: string;
}

/** The most lookups of an evaluation (RFC 7208, section 4.6.4). */
export const mostLookups = 10;

/** True if the text of a TXT record is an SPF record (RFC 7208, section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text);

/**
 * Returns the terms of an SPF record; undefined if it has characters that no term can have, since it is unknown what the platform makes of
 * them.
 */
export function termsOf(record: string): SpfTerm[] | undefined {
  if (/[^\x20-\x7e]|["\\]/.test(record)) return undefined;
  const texts = record.split(' ').filter((text) => text !== '');
  return texts.slice(1).map((text) => {
    const modifier = /^([a-z][a-z0-9_.-]*)=(.*)$/i.exec(text);
    if (modifier)
      return { text, qualifier: undefined, name: modifier[1]!.toLowerCase(), value: modifier[2]! };
    const [, qualifier = '', name = '', value = ''] = /^([-+~?]?)([^:/]*):?(.*)$/.exec(text) ?? [];
    return { text, qualifier: qualifier || '+', name: name.toLowerCase(), value };
  });
}

/** Returns the terms that an evaluation can reach: up to `all`, and `redirect` if there is no `all`. */
export function evaluatedTerms(terms: readonly SpfTerm[]): SpfTerm[] {
  const end = terms.findIndex((term) => term.name === 'all' && term.qualifier !== undefined);
  const mechanisms = (end === -1 ? terms : terms.slice(0, end + 1)).filter(
    (term) => term.qualifier !== undefined,
  );
  const redirect = terms.find((term) => term.name === 'redirect' && term.qualifier === undefined);
  return redirect && end === -1 ? [...mechanisms, redirect] : mechanisms;
}

/**
 * Returns the host whose record an `include` or `redirect` evaluates as well; undefined for other terms, and if it depends on the sender.
 */
export const referredHost = ({ name, value, qualifier }: SpfTerm): string | undefined =>
  (name === (qualifier === undefined ? 'redirect' : 'include') && !value.includes('%') && value) || undefined;

/** True if the evaluation of a term looks a name up. */
export const needsLookup = ({ name, qualifier }: SpfTerm): boolean =>
  qualifier === undefined ? name === 'redirect' : ['include', 'a', 'mx', 'ptr', 'exists'].includes(name);

const mechanismForms: Record<string, (rest: string) => boolean> = {
  all: (rest) => rest === '',
  include: (rest) => rest.startsWith(':') && rest.length > 1,
  exists: (rest) => rest.startsWith(':') && rest.length > 1,
  a: () => true,
  mx: () => true,
  ptr: () => true,
  ip4: (rest) => isNetwork(rest, isIPv4, 32),
  ip6: (rest) => isNetwork(rest, isIPv6, 128),
};

/**
 * Returns the terms that no receiver can read. Each makes receivers treat the whole record as an error (RFC 7208, section 4.6). The forms
 * of domains and macros are not judged.
 */
export const unreadableTerms = (terms: readonly SpfTerm[]): SpfTerm[] =>
  terms.filter(({ text, name, qualifier }) => {
    if (qualifier === undefined) return false;
    const isReadable = Object.hasOwn(mechanismForms, name) ? mechanismForms[name] : undefined;
    return !isReadable?.(text.replace(/^[-+~?]/, '').slice(name.length));
  });

function isNetwork(rest: string, isAddress: (text: string) => boolean, longest: number): boolean {
  const [, address = '', length] = /^:([^/]*)(?:\/(\d+))?$/.exec(rest) ?? [];
  return isAddress(address) && (length === undefined || Number(length) <= longest);
}
