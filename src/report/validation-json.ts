import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { jsonText } from './json-value.ts';
import { diagnosticJson } from './plan-json.ts';

/** What `validate --format json` prints: whether a configuration is valid, and all that is wrong with it. */
export function validationJson(diagnostics: Diagnostic[]): string {
  const number = (severity: string) => diagnostics.filter((one) => one.severity === severity).length;
  return jsonText({
    formatVersion: '1.0',
    valid: !hasErrors(diagnostics),
    errors: number('error'),
    warnings: number('warning'),
    diagnostics: diagnostics.map(diagnosticJson),
  });
}
