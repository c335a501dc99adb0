import type { Details, Reporter } from '../model/diagnostic.ts';
import { type FindingRule, findingSeverities } from '../model/resource.ts';
import { checkGlob } from './counted-globs.ts';
import { hintFor, quoted } from './suggest.ts';
import { isText, itemsOrSelf, type MapNode, memberOf, type Node, reportType } from './yaml/nodes.ts';
import { positionOf } from './yaml/source.ts';

const findingRulesExample =
  'findings: [{ code: dns/spf-all, at: domains/example.com, severity: off, reason: Only used for tests. }]';
const ruleKeys = ['code', 'at', 'severity', 'reason'];

/**
 * Reads `findings:` of a configuration or of a workspace: the severities that findings of some codes and addresses get instead of their own.
 * Reports mistakes, and leaves out the rules that have some. A rule needs a reason, so that readers of the YAML know why a warning is missing.
 */
export function readFindingRules(node: Node, report: Reporter): FindingRule[] {
  if (node.type === 'list') return node.items.flatMap((item) => readRule(item, report) ?? []);
  reportType(report, node, '`findings` must be a list', findingRulesExample);
  return [];
}

/** Reads one item of `findings:`, a rule that turns findings off or changes their severity. Returns undefined after a report. */
function readRule(item: Node, report: Reporter): FindingRule | undefined {
  if (item.type !== 'map')
    return reportType(report, item, 'a rule of `findings` must be a map', findingRulesExample);
  const fail = (message: string, details: Details) => report.error('config/findings', message, details);
  const unknown = item.entries.filter(({ key }) => !ruleKeys.includes(key.text));
  for (const { key } of unknown)
    report.error('config/unknown-key', `a rule of \`findings\` has no ${quoted(key.text)}`, {
      at: key,
      hint: hintFor(key.text, ruleKeys),
    });
  const codes = readGlobs(item, 'code', report);
  const addresses = memberOf(item, 'at') ? readGlobs(item, 'at', report) : ['**'];
  const severityNode = memberOf(item, 'severity');
  const severityText = severityNode && isText(severityNode) ? severityNode.text : '';
  const severity = findingSeverities.find((name) => name === severityText);
  if (!severity)
    fail(`\`severity\` must be one of ${findingSeverities.join(', ')}`, {
      at: severityNode ?? item,
      hint:
        hintFor(severityText, findingSeverities) ?? '`off` hides the findings, and reports only count them',
    });
  const reason = memberOf(item, 'reason');
  const hasReason = reason !== undefined && isText(reason) && reason.text.trim() !== '';
  if (!hasReason)
    fail('this rule has no `reason`', {
      at: reason ?? item,
      hint: 'say why the findings are no problem here, for the next reader: reason: "..."',
    });
  if (!codes || !addresses || !severity || !hasReason || unknown.length > 0) return undefined;
  return { codes, addresses, severity, reason: reason.text.trim(), place: positionOf(item.at) };
}

/** Returns the globs of a member, one text or a list. Returns undefined after a report. */
function readGlobs(rule: MapNode, member: string, report: Reporter): string[] | undefined {
  const value = memberOf(rule, member);
  const items = itemsOrSelf(value);
  const globs = items.flatMap((item) => (isText(item) && item.text !== '' ? [item] : []));
  if (globs.length === 0 || globs.length < items.length)
    return report.error('config/findings', `\`${member}\` must be a text or a list of texts`, {
      at: value ?? rule,
      hint:
        member === 'code'
          ? 'a code, or a glob such as `dns/spf-*`'
          : 'an address, or a glob such as `projects/web/**`',
    });
  const faults = globs.flatMap(checkGlob);
  report.add(faults);
  return faults.length > 0 ? undefined : globs.map(({ text }) => text);
}
