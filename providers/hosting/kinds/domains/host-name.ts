import { toAscii } from './dns-content.ts';

export interface NameFinding {
  message: string;
  hint?: string;
  severity?: 'warning';
}

/**
 * Finds the mistakes in the name of a domain, or of something in a domain, after `toAscii`. A name that breaks the limits of the
 * DNS is an error; one that only the platform may refuse is a warning.
 */
export function nameProblems(written: string): NameFinding[] {
  const name = toAscii(written).replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > 253) return [{ message: 'a name in the DNS has at most 253 characters' }];
  if (labels.some((label) => label === ''))
    return [{ message: 'a name cannot have two dots in a row, or one in front' }];
  if (labels.some((label) => label.length > 63))
    return [{ message: 'a part of a name, between dots, has at most 63 characters' }];
  if (/[^\x21-\x7e]/.test(name))
    return [{ message: 'this is not a name: it has blanks, or characters that no name has' }];
  const odd = labels.find((label, at) => !isPlain(label) && !(label === '*' && at === 0));
  return odd === undefined
    ? []
    : [
        {
          message: `the platform may refuse the name: \`${odd}\` in it is more than letters, digits, hyphens and underscores`,
          severity: 'warning',
        },
      ];
}

/** The same for a domain that people visit: it has a dot. */
export const domainProblems = (written: string): NameFinding[] =>
  toAscii(written).includes('.')
    ? nameProblems(written)
    : [{ message: 'a domain has a dot in it', hint: 'such as `www.example.com`' }];

const isPlain = (label: string) => /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i.test(label);
