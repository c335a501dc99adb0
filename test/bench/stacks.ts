/** How much of what is in each project; a domain stands beside each project that has records. */
export interface Shape {
  projects: number;
  variables?: number;
  rules?: number;
  records?: number;
  redirects?: number;
  routes?: number;
  /** Records are spread over so many domains in place of one for each project. */
  domains?: number;
}

const rule = (number: number) => `        - name: rule ${number}
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /private/${number} }] }]
          action: { mitigate: { action: deny } }`;

/** A configuration of that shape. Every project has its framework, every variable one target. */
export function stackOf({
  projects,
  variables = 0,
  rules = 0,
  records = 0,
  redirects = 0,
  routes = 0,
  domains = projects,
}: Shape): string {
  const lines = ['stack: bench', 'platform: { team: acme }', 'projects:'];
  for (let project = 0; project < projects; project++) {
    lines.push(`  project-${project}:`, '    framework: nextjs');
    if (variables > 0) lines.push('    env:');
    for (let variable = 0; variable < variables; variable++)
      lines.push(
        `      VARIABLE_${variable}:`,
        `        value: value ${variable} of project ${project}`,
        '        type: plain',
        '        target: [production]',
      );
    if (rules > 0) lines.push('    firewall:', '      rules:');
    for (let number = 0; number < rules; number++) lines.push(rule(number));
    if (redirects > 0) lines.push('    bulkRedirects:');
    for (let number = 0; number < redirects; number++)
      lines.push(`      /old/${number}: { destination: /new/${number}, statusCode: 308 }`);
    if (routes > 0) lines.push('    routes:');
    for (let number = 0; number < routes; number++)
      lines.push(
        `      - { name: route ${number}, srcSyntax: path-to-regexp, route: { src: /from/${number}, dest: "https://to.example/${number}" } }`,
      );
  }
  if (records > 0) lines.push('domains:');
  for (let domain = 0; records > 0 && domain < domains; domain++) {
    lines.push(`  example-${domain}.com:`, '    records:');
    for (let record = 0; record < records; record++)
      lines.push(`      - { type: A, name: host-${record}, value: 192.0.2.${(record % 250) + 1} }`);
  }
  return `${lines.join('\n')}\n`;
}

/** About so many resources, a hundred for each project: a project with its firewall, 68 variables, 9 rules, a domain, 20 records. */
export const mixedStack = (resources: number): string =>
  stackOf({ projects: Math.max(1, Math.round(resources / 100)), variables: 68, rules: 9, records: 20 });

/** About so many resources, a hundred for each project, with all kinds of lists: also 15 redirects and 7 routes, which are staged. */
export const stackOfLists = (resources: number): string =>
  stackOf({
    ...{ projects: Math.max(1, Math.round(resources / 100)), variables: 46, rules: 9, records: 20 },
    ...{ redirects: 15, routes: 7 },
  });

/** So many webhooks, whose secrets are delivered to files. */
export function stackOfSecrets(webhooks: number): string {
  const blocks = Array.from(
    { length: webhooks },
    (_, number) =>
      `  hook-${number}: { url: "https://hooks.example.com/${number}", events: [deployment.error], $secretTo: { file: secrets/hook-${number} } }`,
  );
  return `stack: bench\nplatform: { team: acme }\nwebhooks:\n${blocks.join('\n')}\n`;
}
