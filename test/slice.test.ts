import { expect, test } from 'vitest';
import { World } from './support/world.ts';

test('every area from YAML to the twin and back to an empty plan', async () => {
  const world = await World.start();
  try {
    await world.converge(`
projects:
  web:
    framework: nextjs
    nodeVersion: 22.x
    customEnvironments:
      staging: { description: before release }
    env:
      LOG_LEVEL: info
      API_URL:
        - { value: https://api.example.com, target: [production] }
        - { value: https://staging.example.com, target: [preview, development] }
      ONLY_STAGING: { value: x, customEnvironmentIds: [staging] }
    domains:
      www.example.com: {}
      example.com: { redirect: www.example.com, redirectStatusCode: 308 }
    firewall:
      firewallEnabled: true
      botIdEnabled: true
      rules:
        - name: block-admin
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
          action: { mitigate: { action: deny } }
        - name: no-agent
          active: true
          conditionGroup: [{ conditions: [{ type: header, op: nex, key: user-agent }] }]
          action: { mitigate: { action: challenge } }
      ips:
        - { hostname: example.com, ip: 192.0.2.0/24, action: deny }
      managedRules:
        owasp: { active: true, action: deny }
      crs:
        sqli: { active: true, action: deny }
domains:
  example.com:
    records:
      - { type: A, name: "@", value: 76.76.21.21 }
      - { type: A, name: "@", value: 76.76.21.22 }
      - { type: MX, name: "@", value: mx.example.net, mxPriority: 10 }
      - { type: SRV, name: _sip._tcp, srv: { priority: 1, weight: 2, port: 5060, target: sip } }
      - { type: HTTPS, name: h, https: { priority: 1, target: ".", params: alpn=h2 } }
      - { type: CAA, name: "@", value: 0 issue letsencrypt.org }
      - { type: TXT, name: "@", value: "v=spf1 -all" }
      - { type: CNAME, name: blog, value: cname.example.net }
`);
    expect(world.writes().length).toBeGreaterThan(10);
  } finally {
    await world.stop();
  }
});
