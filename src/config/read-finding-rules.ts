import type { Reporter } from '../model/diagnostic.ts';
import { type FindingRule, findingSeverities } from '../model/resource.ts';
import { checkGlob } from './counted-globs.ts';
import { hintFor, quoted } from './suggest.ts';
import { isText, itemsOrSelf, type MapNode, memberOf, type Node, reportType } from './yaml/nodes.ts';
import { positionOf } from './yaml/source.ts';

const findingRulesExample =
  'findings: [{ code: dns/spf-all, at: domains/example.com, severity: off, reason: Only used for tests. }]';
const ruleKeys = ['code', 'at', 'severity', 'reason'];

/**
 * Reads `findings:` of a configuration or of a workspace: the severities that findings of some codes and addresses get instead of their
 * own. Reports mistakes, and leaves out the rules that have some. A rule needs a reason, so that readers of the YAML know why a warning is
 * missing.
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
  const unknown = item.entries.filter(({ key }) => !ruleKeys.includes(key.text));
  for (const { key } of unknown)
    report.error('config/unknown-key', `a rule of \`findings\` has no ${quoted(key.text)}`, {
      at: key,
      hint: hintFor(key.text, ruleKeys),
    });
  const codes = readGlobs(item, 'code', report);
  const addresses = memberOf(item, 'at') ? readGlobs(item, 'at', report) : ['**'];
  const severity = readSeverity(item, report);
  const reason = readReason(item, report);
  if (!codes || !addresses || !severity || reason === undefined || unknown.length > 0) return undefined;
  return { codes, addresses, severity, reason, place: positionOf(item.at) };
}

/** Returns the severity that a rule gives to findings; undefined after a report. */
function readSeverity(rule: MapNode, report: Reporter): FindingRule['severity'] | undefined {
  const node = memberOf(rule, 'severity');
  const text = node && isText(node) ? node.text : '';
  const severity = findingSeverities.find((name) => name === text);
  if (severity) return severity;
  return report.error('config/findings', `\`severity\` must be one of ${findingSeverities.join(', ')}`, {
    at: node ?? rule,
    hint: hintFor(text, findingSeverities) ?? '`off` hides the findings, and reports only count them',
  });
}

/** Returns the reason of a rule, without blanks around it; undefined after a report if it is missing or empty. */
function readReason(rule: MapNode, report: Reporter): string | undefined {
  const node = memberOf(rule, 'reason');
  const reason = node && isText(node) ? node.text.trim() : '';
  if (reason !== '') return reason;
  return report.error('config/findings', 'this rule has no `reason`', {
    at: node ?? rule,
    hint: 'say why the findings are no problem here, for the next reader: reason: "..."',
  });
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
