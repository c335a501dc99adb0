import { stepsPerCharacter } from '../config/counted-globs.ts';
import { LimitedCount, maxSteps, tooLargeProblem } from '../config/growth.ts';
import { hintFor } from '../config/suggest.ts';
import { findingCodes, type Meaning } from '../kind/meaning.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { compileGlob, createAddressMatcher, type Glob } from '../model/glob.ts';
import type { FindingRule } from '../model/resource.ts';

/** Findings after the rules in `findings:` of a configuration, which can change the severity of findings or turn them off. */
export interface JudgedFindings {
  shown: Diagnostic[];
  /** Reports only count them. Guards look at them as well, because the author of the YAML can turn off any finding. */
  suppressed: Diagnostic[];
}

/**
 * Applies the rules in `findings:` of a configuration, so that its authors decide which findings stop a run, only appear, or are turned
 * off. The first rule that covers a finding sets its severity. A finding that no rule covers keeps its own. If matching the globs takes too
 * many steps, `shown` has an error at the rule with the most, because the author of a pull request could otherwise keep a run busy for
 * hours.
 */
export function applyFindingRules(
  findings: readonly Diagnostic[],
  rules: readonly FindingRule[] = [],
  stepLimit = maxSteps,
): JudgedFindings {
  if (rules.length === 0 || findings.length === 0) return { shown: [...findings], suppressed: [] };
  const steps: RuleSteps = new LimitedCount(stepLimit);
  const tests = rules.map((rule) => ({ rule, fits: createTest(rule, steps) }));
  const judged: JudgedFindings = { shown: [], suppressed: [] };
  for (const finding of findings) {
    const rule = tests.find(({ fits }) => fits(finding))?.rule;
    if (!rule) judged.shown.push(finding);
    else if (rule.severity === 'off') judged.suppressed.push(finding);
    else judged.shown.push({ ...finding, severity: rule.severity });
  }
  return { ...judged, shown: [...tooManySteps(steps), ...judged.shown] };
}

/**
 * Returns the test whether a rule in `findings:` of a configuration covers a finding, by its code and its address, so that the rule sets
 * its severity. It covers nothing once the steps of matching exceed the limit for all rules (`steps` counts them).
 */
function createTest(rule: FindingRule, steps: RuleSteps): (finding: Diagnostic) => boolean {
  const codeGlobs = rule.codes.map(codeCompiler(rule, steps));
  const matchesAddress = createAddressMatcher(rule.addresses, createCompiler(rule, steps));
  return ({ code, address = '' }) => codeGlobs.some((glob) => glob.matches(code)) && matchesAddress(address);
}

/** The steps of matching the globs of rules, by rule. */
type RuleSteps = LimitedCount<FindingRule>;

/**
 * Creates a compiler for the globs of a rule in `findings:` of a configuration. The globs count the steps of matching, and match nothing
 * once all rules together exceed their limit, because the author of a pull request could otherwise keep a run busy for hours.
 */
const createCompiler =
  (rule: FindingRule, steps: RuleSteps, { hasParts = true } = {}) =>
  (text: string): Pick<Glob, 'matches'> => {
    if (!steps.allows(rule, text.length * stepsPerCharacter)) return { matches: () => false };
    const glob = compileGlob(text, { hasParts, maxSteps });
    return {
      matches(subject) {
        if (steps.isExceeded) return false;
        const stepsBefore = glob.steps;
        const isMatch = glob.matches(subject);
        return steps.allows(rule, 1 + glob.steps - stepsBefore) && isMatch;
      },
    };
  };

/** Creates a compiler for globs of codes, which match as those of guards do: `*` also matches a `/`. */
const codeCompiler = (rule: FindingRule, steps: RuleSteps) =>
  createCompiler(rule, steps, { hasParts: false });

/** Returns an error at the rule with the most steps if matching the globs of all rules in `findings:` exceeds the limit, otherwise none. */
function tooManySteps(steps: RuleSteps): Diagnostic[] {
  if (!steps.isExceeded) return [];
  const { at: rule, count } = steps.largest();
  return [tooLargeProblem('steps', rule.place, count)];
}

/**
 * Returns an error for each code in `findings:` that no check has, because a rule with a typing error would change nothing. If matching the
 * codes takes too many steps, returns only an error that says so.
 */
export async function checkRuleCodes(
  rules: readonly FindingRule[] = [],
  meaning: Meaning,
): Promise<Diagnostic[]> {
  if (rules.length === 0) return [];
  const knownCodes = await findingCodes(meaning);
  const steps: RuleSteps = new LimitedCount(maxSteps);
  const unknownCodes = rules.flatMap((rule) => {
    const compile = codeCompiler(rule, steps);
    return rule.codes
      .filter((code) => !knownCodes.some(compile(code).matches))
      .map((code) => ({ code, place: rule.place }));
  });
  if (steps.isExceeded) return tooManySteps(steps);
  return unknownCodes.map(({ code, place }) =>
    problem('config/findings', `there is no finding with the code ${JSON.stringify(code)}`, {
      at: place,
      hint: hintFor(code, knownCodes) ?? `the codes are ${knownCodes.join(', ')}`,
    }),
  );
}
