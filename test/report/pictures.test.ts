import { it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { escapeHtml } from '../../src/report/html/markup.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planReport } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { findBrowser, startBrowser } from '../support/browser.ts';
import { World } from '../support/world.ts';
import { realistic } from './realistic.ts';

/** A project with a bit of everything, as it was applied and as the plan is to make it. */
const yaml = (now: boolean) => `secrets:
  database: { env: DATABASE }
projects:
  web:
    framework: ${now ? 'astro' : 'nextjs'}
    buildCommand: npm run build${now ? ' -- --turbo' : ''}
    env:
      LOG_LEVEL: { value: info, type: plain, target: [production] }
      ${now ? 'FEATURE_X: { value: "on", type: plain, target: [preview, production] }' : 'OLD_TOKEN: { value: token }'}
      DATABASE_URL: { value: "\${secret.database}", target: [production] }
      CSP: { value: "default-src 'self'\\nimg-src *\\nconnect-src 'self'${now ? ' wss://live.example.com' : ''}\\nfont-src 'self'\\n", type: plain, target: [production] }
    firewall:
      rules:
        - { name: block-admin, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin${now ? '/' : ''} }] }], action: { mitigate: { action: deny } } }
domains:
  example.com:
    $existing: true
    records:
      - { type: A, name: "@", value: 192.0.2.10 }
      ${now ? '- { type: A, name: edge-0, value: 192.0.2.20 }' : '- { type: CNAME, name: blog, value: blog.example.net. }'}
webhooks:
  deploys: { url: "https://hooks.example.com/${now ? 'b' : 'a'}", events: [deployment.error], $replace: allow, $secretTo: discard }
`;

async function plan(): Promise<Plan> {
  const world = await World.start({ seed: { domains: [{ name: 'example.com' }] } });
  try {
    world.env = { DATABASE: 'postgres://old' };
    await world.converge(yaml(false));
    const web = world.twin.account.projects[0]!;
    web.framework = 'remix';
    web.env.find(({ key }) => key === 'LOG_LEVEL')!.value = 'trace';
    world.env = { DATABASE: 'postgres://new' };
    world.twin.clearRequests();
    const { plan } = await world.plan(yaml(true));
    const reads = { sent: world.twin.requests.length, ofApply: new Map() };
    return { ...plan, reads, stack: 'acme-production', account: { type: 'team', name: 'acme' } };
  } finally {
    await world.stop();
  }
}

const themes = {
  dark: {
    page: '#1e1e1e',
    ink: '#d4d4d4',
    strong: '#fff',
    colors: ['#f14c4c', '#23d18b', '#e5b032', '', '#d670d6', '#29b8db', '', '#808080'],
  },
  light: {
    page: '#fff',
    ink: '#222',
    strong: '#000',
    colors: ['#cd1f1f', '#0a6b2c', '#7a6300', '', '#8a1c8a', '#05687f', '', '#6e6e6e'],
  },
};

/** What a terminal makes of a text with colours, as a page. */
function terminal(
  text: string,
  { page, ink, strong, colors }: (typeof themes)['dark'],
  width: number,
): string {
  let [isBold, color] = [false, ''];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how colours are written
  const spans = text.split(/\u001b\[(\d+)m/).map((part, at) => {
    if (at % 2 === 0)
      return `<span style="color:${color || (isBold ? strong : 'inherit')};font-weight:${isBold ? 700 : 400}">${escapeHtml(part)}</span>`;
    const code = Number(part);
    if (code === 1 || code === 22) isBold = code === 1;
    else color = code === 39 ? '' : (colors[code === 90 ? 7 : code - 31] ?? '');
    return '';
  });
  return `<body style="margin:0;background:${page}"><pre style="margin:0;padding:10px;width:${width}ch;box-sizing:content-box;overflow-wrap:anywhere;white-space:pre-wrap;color:${ink};font:13px/17px 'DejaVu Sans Mono',monospace">${spans.join('')}</pre></body>`;
}

// For README.md: `PICTURES=1 npx vitest run test/report/pictures.test.ts`
it.skipIf(process.env.PICTURES === undefined)('takes the pictures', async () => {
  const made = await plan();
  const browser = await startBrowser(findBrowser()!);
  const take = async (name: string, body: string, width: number, height?: number) => {
    const page = await browser.newPage({ viewport: { width, height: height ?? 100 } });
    await page.setContent(body);
    await page.screenshot({ path: `docs/pictures/${name}.png`, fullPage: height === undefined });
    await page.close();
  };
  for (const [name, theme, width, more] of [
    ['plan-dark', 'dark', 80, {}],
    ['plan-light', 'light', 120, { requests: true }],
    ['plan-words', 'dark', 80, { unicode: false }],
  ] as const) {
    const style = styleFor({ color: true, width, ...more });
    const report = planReport(made, { style, requests: 'requests' in more }, style);
    const parts = [report.warnings, report.plan, report.errors].filter((part) => part !== '');
    const body = `${parts.join('\n\n')}\n`;
    await take(name, terminal(body, themes[theme], width), Math.ceil(width * 7.83) + 20);
  }
  const at = 'https://github.com/acme/infrastructure';
  const about = {
    commit: { id: 'd83e08004c1f', url: `${at}/commit/d83e08004c1f` },
    run: { name: 'GitHub Actions 4711', url: `${at}/actions/runs/4711` },
    time: Date.UTC(2026, 10, 23, 9, 30),
  };
  await take('plan', planHtml(realistic, undefined, about), 1000, 1735);
  await browser.close();
});
