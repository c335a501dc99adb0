import * as z from 'zod';
import { spelledAlike } from '#kind';
import { toAscii } from './dns-content.ts';

/**
 * Returns a domain name in the form for comparing and sending: lower case, punycode, and without the final dot that makes a DNS name
 * absolute.
 */
export const normalDomain = (name: string): string => toAscii(name).replace(/\.$/, '');

/** The schema of a field whose value is a domain name; the one place that says how names are written. */
export const domainName = () => spelledAlike(z.string().min(1), normalDomain);

interface NameFinding {
  message: string;
  hint?: string;
  severity?: 'warning';
}

/**
 * Finds the mistakes in the name of a domain, or of a record in a domain, so that `validate` reports them before the platform
 * does. A name that breaks the limits of the DNS is an error; one that only the platform may refuse is a warning.
 */
export function nameProblems(written: string): NameFinding[] {
  const name = normalDomain(written);
  const labels = name.split('.');
  if (name.length > 253) return [{ message: 'a DNS name can have at most 253 characters' }];
  if (labels.some((label) => label === ''))
    return [{ message: 'a name cannot have two dots in a row or start with one' }];
  if (labels.some((label) => label.length > 63))
    return [{ message: 'each part between dots can have at most 63 characters' }];
  if (/[^\x21-\x7e]/.test(name))
    return [{ message: 'this is not a valid name: it has spaces or invalid characters' }];
  const odd = labels.find((label, index) => !isPlain(label) && !(label === '*' && index === 0));
  return odd === undefined
    ? []
    : [
        {
          message: `the platform may reject the name: \`${odd}\` should have only letters, digits, underscores, and hyphens between them`,
          severity: 'warning',
        },
      ];
}

/** Reports problems like `nameProblems`, for a domain that people visit: it has a dot, and no other part of a URL. */
export function domainProblems(written: string): NameFinding[] {
  if (/[/:?#]/.test(written))
    return [
      {
        message: 'a domain has no scheme, port or path',
        hint: 'write the host alone, such as `www.example.com`',
      },
    ];
  return normalDomain(written).includes('.')
    ? nameProblems(written)
    : [{ message: 'a domain must contain a dot', hint: 'such as `www.example.com`' }];
}

const isPlain = (label: string) => /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i.test(label);
