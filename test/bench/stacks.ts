/** How much of what is in each project; a domain stands beside each project that has records. */
export interface Shape {
  projects: number;
  variables?: number;
  rules?: number;
  records?: number;
  redirects?: number;
  routes?: number;
  /** So many of the variables of each project have a second target, and are two objects. */
  withPreview?: number;
  /** Only so many projects have rules. Default: all. */
  firewalls?: number;
  /** Records are spread over so many domains in place of one for each project. */
  domains?: number;
}

const rule = (number: number) => `        - name: rule ${number}
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /private/${number} }] }]
          action: { mitigate: { action: deny } }`;

/** Returns a configuration of that shape. Every project has its framework, every variable one target unless `withPreview` says otherwise. */
export function stackOf({
  projects,
  variables = 0,
  rules = 0,
  records = 0,
  redirects = 0,
  routes = 0,
  withPreview = 0,
  firewalls = projects,
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
        variable < withPreview ? '        target: [production, preview]' : '        target: [production]',
      );
    const rulesHere = project < firewalls ? rules : 0;
    if (rulesHere > 0) lines.push('    firewall:', '      rules:');
    for (let number = 0; number < rulesHere; number++) lines.push(rule(number));
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

/** A project with eight variables, and a domain without records: ten resources. */
export const tenResources = `${stackOf({ projects: 1, variables: 8 })}domains:\n  example.com: {}\n`;

/**
 * Returns 875 objects, as a company may have them: 20 projects, 400 variables that are 640 objects (of the 20 of each project 12 have two
 * targets, and each target is an object), 10 firewalls with 10 rules each (110 objects), and 5 domains with 20 records each (105 objects).
 */
export const companyStack = (): string =>
  stackOf({
    projects: 20,
    variables: 20,
    withPreview: 12,
    firewalls: 10,
    rules: 10,
    domains: 5,
    records: 20,
  });

const projectsOf = (resources: number) => Math.max(1, Math.round(resources / 100));

/** About so many resources, a hundred for each project: a project with its firewall, 68 variables, 9 rules, a domain, 20 records. */
export const mixedStack = (resources: number): string =>
  stackOf({ projects: projectsOf(resources), variables: 68, rules: 9, records: 20 });

/** About so many resources, a hundred for each project, with all kinds of lists: also 15 redirects and 7 routes, which are staged. */
export const stackOfLists = (resources: number): string =>
  stackOf({
    projects: projectsOf(resources),
    variables: 45,
    rules: 9,
    records: 20,
    redirects: 15,
    routes: 7,
  });

/**
 * Returns a configuration of about so many resources of all kinds whose number once made a command slower than linear: \`stackOfLists\`, and
 * for each project a webhook whose secret is delivered to a file.
 */
export const mixedAccount = (resources: number): string =>
  `${stackOfLists(resources)}${webhooksOf(projectsOf(resources))}`;

/** A section of so many webhooks, whose secrets are delivered to files. */
function webhooksOf(count: number): string {
  const blocks = Array.from(
    { length: count },
    (_, number) =>
      `  hook-${number}: { url: "https://hooks.example.com/${number}", events: [deployment.error], $secretTo: { file: secrets/hook-${number} } }\n`,
  );
  return `webhooks:\n${blocks.join('')}`;
}
