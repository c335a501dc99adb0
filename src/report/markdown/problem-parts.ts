/*
 * The problems and findings of a plan in the comment on a pull request. Those that a reviewer has to see first are above the changes:
 * errors, and the warnings about harm that the changes do. Other warnings, notes and fixed findings are below them.
 */
import type { Diagnostic, FindingState } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import {
  countByCode,
  fixedElsewhereTitle,
  foldFindings,
  formatFinding,
  groupFindings,
  isNewFinding,
  problemsBesideChanges,
  problemsToReview,
} from '../finding-text.ts';
import { count, firstLines, fold } from '../text.ts';
import { columns, diagnosticForms } from './diff-lines.ts';
import { code, fence, htmlCode, type Places, type PlanPart } from './forms.ts';

/**
 * Returns the parts of a plan's comment on a pull request that stand above the changes, because reviewers must see them first: errors, and
 * warnings about harm that the changes do (new findings).
 */
export function problemsAboveChanges(plan: Plan, places: Places): PlanPart[] {
  const problems = problemsToReview(plan);
  const withSeverity = (severity: Diagnostic['severity']) =>
    problems.filter((problem) => problem.severity === severity);
  return [
    ...problemParts('Errors', withSeverity('error'), places),
    ...newWarningParts(withSeverity('warning').filter(isNewFinding), places),
  ];
}

/**
 * Returns the parts of a plan's comment on a pull request that stand below the changes, because reviewers can read them last: warnings
 * about the plan itself, such as a secret that was not compared, and the notes and fixed findings of rules that no change of the comment
 * shows already. New warnings of rules are left out, because they stand above the changes (`problemsAboveChanges`).
 */
export function problemsBelowChanges(plan: Plan, places: Places): PlanPart[] {
  const problems = problemsBesideChanges(plan);
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const notes = problems.filter(({ severity }) => severity === 'note');
  return [
    ...problemParts(
      'Warnings',
      warnings.filter((warning) => !isNewFinding(warning)),
      places,
    ),
    ...quietFindingsPart('New notes', notes, 'new'),
    ...quietFindingsPart(fixedElsewhereTitle, groupFindings(plan).fixedElsewhere, 'fixed'),
  ];
}

/** Returns a part of a plan's comment on a pull request for each problem, below a heading with their number. */
function problemParts(title: string, problems: Diagnostic[], places: Places): PlanPart[] {
  const heading = `${title} (${problems.length})`;
  return problems.map((diagnostic) => ({
    heading,
    forms: diagnosticForms(diagnostic, places),
    // A reviewer has to see what prevents the apply, and the harm that the changes do.
    urgent: diagnostic.severity === 'error' || diagnostic.finding !== undefined,
    changes: 0,
    isProblem: true,
  }));
}

/** Returns the parts of a comment for new warnings. Of many, most are only counted, because the changes below need room as well. */
function newWarningParts(warnings: Diagnostic[], places: Places): PlanPart[] {
  const parts = problemParts('New warnings', warnings, places);
  const more = parts.length - maxNewWarnings;
  if (more <= 0) return parts;
  const form = `- and ${count(more, 'more new warning')}: \`trueup plan\` shows all`;
  return [
    ...parts.slice(0, maxNewWarnings),
    { heading: parts[0]!.heading, forms: [form], urgent: true, changes: 0 },
  ];
}

const maxNewWarnings = 20;

/**
 * Returns the part of a plan's comment for findings (harm that a valid configuration does) that a reviewer need not act on, such as notes
 * and fixed ones: a list, folded if it is long, or the counts by code if there is no room for the list. Empty without findings. `state`:
 * whether the plan causes (`new`) or fixes them.
 */
function quietFindingsPart(title: string, findings: Diagnostic[], state: FindingState): PlanPart[] {
  if (findings.length === 0) return [];
  const texts = foldFindings(findings).map((finding) => formatFinding(finding, state));
  const lines = firstLines(
    texts.map(({ text, hint }) => [text, hint].filter(Boolean).join(' -> ')),
    maxQuietFindings,
  );
  const list = fence(
    lines.flatMap((line) => fold(line, columns, '  ')),
    '',
  );
  const counts = countByCode(findings, htmlCode);
  const folded = `<details><summary>${counts}</summary>\n\n${list}\n\n</details>`;
  const shortForm = `- ${countByCode(findings, code)}`;
  return [
    {
      heading: `${title} (${findings.length})`,
      forms: [lines.length > maxOpenFindings ? folded : list, shortForm],
      urgent: false,
      changes: 0,
    },
  ];
}

/** Up to so many findings are shown without a fold. */
const maxOpenFindings = 3;

/** The most findings in a folded list. The JSON document has all of them. */
const maxQuietFindings = 200;
