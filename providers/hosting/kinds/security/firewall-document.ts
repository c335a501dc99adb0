import {
  type ApiObject,
  type Draft,
  type Endpoint,
  type Request,
  request,
  type Step,
  type WholeDocument,
} from '#kind';
import { config, envelopeRequest } from './firewall-config.ts';
import { written } from './firewall-rule-form.ts';

const endpoint: Endpoint = 'PUT /v1/security/firewall/config?projectId={project}';

/**
 * Writes the whole firewall of a project that never had one, with one PUT, which resets omitted members. A request before it checks
 * that there is none. The PUT wants `firewallEnabled`; a firewall that was never written is off.
 */
export const firewallDocument: WholeDocument = {
  doc: 'The firewall of a project created in the same plan is written in one request.',
  endpoint,
  write(steps): Draft {
    const stepsOf = (kind: string) => steps.get(kind) ?? [];
    const [rules, ips, rulesets] = [
      stepsOf('firewallRule'),
      stepsOf('firewallIp'),
      stepsOf('managedRuleset'),
    ];
    const body = {
      firewallEnabled: false,
      ...stepsOf('firewall')[0]?.fullBody,
      ...unlessEmpty('managedRules', byId(rulesets, 'id', { active: false })),
      ...unlessEmpty('crs', byId(stepsOf('coreRuleset'), 'code', { active: false, action: 'log' })),
      ...unlessEmpty(
        'rules',
        rules.map(({ fullBody }) => written(fullBody)),
      ),
      ...unlessEmpty(
        'ips',
        ips.map(({ fullBody }) => fullBody),
      ),
    };
    return {
      changes: [...steps.values()].flat().map(({ address }) => address),
      requests: [
        { ...request(config), expects: neverWritten },
        {
          ...request(endpoint, body),
          returns: [
            ...rules.map(({ address, fullBody: { name } }) => createdId(address, 'rules', { name })),
            ...ips.map(({ address, fullBody: { hostname, ip } }) =>
              createdId(address, 'ips', { hostname, ip }),
            ),
          ],
        },
        ...rulesets.flatMap(groupsOf),
      ],
    };
  },
};

/** Until its first version a firewall reads as nothing, or as an empty one that counts none: which of the two is not documented. */
const neverWritten: Request['expects'] = [
  { path: ['versions'], value: [] },
  { path: ['active', 'version'], value: 0, orAbsent: true },
];

const createdId = (address: string, list: 'rules' | 'ips', members: ApiObject) => ({
  address,
  path: ['active', list, members, 'id'],
});

const unlessEmpty = (name: string, value: object): ApiObject =>
  Object.keys(value).length > 0 ? { [name]: value } : {};

const byId = (steps: Step[], id: string, usual: ApiObject): ApiObject =>
  Object.fromEntries(
    steps.map(({ fullBody: { [id]: name, groups: _, ...rest } }) => [String(name), { ...usual, ...rest }]),
  );

/**
 * The exceptions for groups, as requests of their own: the documentation does not say whether the PUT takes them in the form of
 * the envelope.
 */
const groupsOf = ({ fullBody: { id, groups } }: Step): Request[] =>
  groups === undefined ? [] : [envelopeRequest('managedRuleGroup.update', String(id), groups)];
