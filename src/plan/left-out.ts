import { type Diagnostic, warning } from '../model/diagnostic.ts';

const sources = /^(secret\/(file|empty|not-text|command)|source\/.*)$/;
const most = 3;

/**
 * Says once that secrets are missing from the plan of a pull request. It should not be given any, so there is nothing to mend.
 * Other problems with secrets stay as they are.
 */
export function leftOut(diagnostics: Diagnostic[]): Diagnostic[] {
  const unset = diagnostics.filter(({ code }) => code === 'secret/unset');
  if (unset.length === 0) return diagnostics;
  // With another cause around, nobody can tell which of the two a value was not compared for.
  const isOnly = !diagnostics.some(({ code }) => sources.test(code));
  const isSaid = ({ code }: Diagnostic) =>
    code === 'secret/unset' || (isOnly && code === 'secret/not-compared');
  const names = [...new Set(unset.flatMap(({ secret }) => secret?.name ?? []))];
  const shown = names.slice(0, most).join(', ');
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  const [are, they] = names.length === 1 ? ['secret is', 'it is'] : ['secrets are', 'they are'];
  return [
    ...diagnostics.filter((one) => !isSaid(one)),
    warning(
      'secret/left-out',
      `${names.length} ${are} not given to the plan of a pull request, so ${they} not compared: ${shown}${rest}`,
    ),
  ];
}
