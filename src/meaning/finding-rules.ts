import { hintFor } from '../config/suggest.ts';
import { findingCodes, type Meaning } from '../kind/meaning.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { compileGlob, createAddressMatcher } from '../model/glob.ts';
import type { FindingRule } from '../model/resource.ts';

/** Findings after the rules in `findings:` of a configuration, which can change the severity of findings or turn them off. */
export interface JudgedFindings {
  shown: Diagnostic[];
  /** Reports only count them. Guards look at them as well, because the author of the YAML can turn off any finding. */
  suppressed: Diagnostic[];
}

/**
 * Applies the rules in `findings:` of a configuration, so that its authors decide which findings stop a run, only appear, or are turned off. The first
 * rule that covers a finding sets its severity. A finding that no rule covers keeps its own.
 */
export function applyFindingRules(
  findings: readonly Diagnostic[],
  rules: readonly FindingRule[] = [],
): JudgedFindings {
  if (rules.length === 0) return { shown: [...findings], suppressed: [] };
  const tests = rules.map((rule) => ({ rule, fits: createTest(rule) }));
  const judged: JudgedFindings = { shown: [], suppressed: [] };
  for (const finding of findings) {
    const rule = tests.find(({ fits }) => fits(finding))?.rule;
    if (!rule) judged.shown.push(finding);
    else if (rule.severity === 'off') judged.suppressed.push(finding);
    else judged.shown.push({ ...finding, severity: rule.severity });
  }
  return judged;
}

/** Compiles a glob of codes like guards do: `*` also matches a `/`. */
const compileCode = (glob: string) => compileGlob(glob, { hasParts: false });

/** Returns the test whether a rule covers a finding. */
function createTest({ codes, addresses }: FindingRule): (finding: Diagnostic) => boolean {
  const codeTests = codes.map((code) => compileCode(code).matches);
  const matchesAddress = createAddressMatcher(addresses);
  return ({ code, address = '' }) => codeTests.some((matches) => matches(code)) && matchesAddress(address);
}

/** Returns an error for each code in `findings:` that no check has, because a rule with a typing error would change nothing. */
export async function checkRuleCodes(
  rules: readonly FindingRule[] = [],
  meaning: Meaning,
): Promise<Diagnostic[]> {
  if (rules.length === 0) return [];
  const knownCodes = await findingCodes(meaning);
  return rules.flatMap(({ codes, place }) =>
    codes
      .filter((code) => !knownCodes.some(compileCode(code).matches))
      .map((code) =>
        problem('config/findings', `there is no finding with the code ${JSON.stringify(code)}`, {
          at: place,
          hint: hintFor(code, knownCodes) ?? `the codes are ${knownCodes.join(', ')}`,
        }),
      ),
  );
}
