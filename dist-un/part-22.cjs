"use strict";const part_DPITLKXZ=(()=>{const {
  defaultBranch,
  originPath
}=require("./part-124.cjs").part_WM3J7ALJ;const {
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  require_dist
}=require("./part-112.cjs").part_55Q3LCS5;const {
  modeline,
  writeSchema
}=require("./part-122.cjs").part_4377VF5K;require("./part-35.cjs").part_GHYH6KYJ;require("./part-21.cjs").part_DGVZ2EVC;const {
  missingFiles,
  writeFiles
}=require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  configurationsBelow,
  defaultIn,
  loadOptions,
  sourcesFor,
  workspaceFile,
  workspaceFolder
}=require("./part-105.cjs").part_TEBTU3WD;const {
  home,
  makeHome
}=require("./part-92.cjs").part_2JBIBOC6;const {
  load
}=require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;const {
  originText,
  shellWord,
  variableEnv
}=require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  standard,
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;const {
  defaultsIn
}=require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;const {
  InvalidArgumentError,
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;const {
  closest,
  quoted
}=require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  literally
}=require("./part-106.cjs").part_BACZRMMV;require("./part-85.cjs").part_SJG7KYTO;const {
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;const {
  version
}=require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count,
  listed
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { writeFile }=require("node:fs/promises");const { join }=require("node:path");const { readFile, realpath }=require("node:fs/promises");const path2=require("node:path");const path=require("node:path");const { isAbsolute }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/init.ts
;
;

// raw:examples/ci/github/apply.yml
var apply_default = '# .github/workflows/trueup-apply.yml: plans what was merged, waits for approval of that very plan, and applies exactly it, or nothing.\n#\n# Create two environments under Settings, Environments, restricted to the branch `main`: `plan-main`, and `production` with required\n# reviewers. Both have the token, the key (see trueup-sign.yml) and the secrets of the configuration. These must never be repository\n# secrets, so that a pushed branch cannot reach them, whatever it does to this file. Without reviewers, it applies immediately.\n# Protect `main`: what is merged there runs here.\n#\n# Approvers see the plan in the summary of the run, and in the comment of the merged pull request; afterwards the same comment says\n# what was applied, what failed, and what to do next. `apply plan.json` plans again and applies only what was approved: if the\n# account, the configuration or a secret has changed, it sends nothing, says what differs (in the summary of the run), and fails.\n# Then run the workflow again.\n#\n# Only one run works at a time, and GitHub keeps one more waiting: a third one replaces the second, which is cancelled. Nothing is lost,\n# since each run plans everything that was merged. But a missing approval blocks every later merge: reject what you do not want, and the\n# next one is planned. After 30 days GitHub gives up.\nname: trueup apply\non:\n  push:\n    branches: [main]\npermissions:\n  contents: read\nconcurrency: # see above; never cancelled while it runs\n  group: trueup-apply\n  cancel-in-progress: false\n\njobs:\n  plan:\n    runs-on: ubuntu-latest\n    environment: plan-main # the same secrets as `production`, for `main` only, without reviewers\n    permissions:\n      contents: read\n      pull-requests: write # for the comment\n    outputs:\n      changes: ${{ steps.plan.outputs.changes }}\n    steps:\n      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        with:\n          persist-credentials: true # to fetch the ledger\n      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0\n        with:\n          node-version: 20\n      - run: npm ci --ignore-scripts\n      - name: Plan\n        id: plan\n        env:\n          TRUEUP_TOKEN: ${{ secrets.TRUEUP_TOKEN }}\n          TRUEUP_LEDGER: git\n          TRUEUP_GUARDS: ${{ vars.TRUEUP_GUARDS }} # guards.yaml: rules that plans must obey. Without the variable there are no guards\n          TRUEUP_LEDGER_KEY: ${{ secrets.TRUEUP_LEDGER_KEY }}\n          TRUEUP_SECRET_database: ${{ secrets.TRUEUP_SECRET_DATABASE }}\n        run: |\n          code=0\n          npm exec --no -- trueup plan -f trueup.yaml --detailed-exitcode --format markdown --out plan.json > plan.md || code=$?\n          case $code in\n            0) echo "changes=false" >> "$GITHUB_OUTPUT" ;;\n            2) echo "changes=true" >> "$GITHUB_OUTPUT" ;;\n            *) exit $code ;;\n          esac\n      - name: Say on the pull request what is to be applied\n        if: ${{ !cancelled() }} # also if there is nothing to apply\n        continue-on-error: true # approvers also have the summary\n        env:\n          GITHUB_TOKEN: ${{ github.token }}\n        run: npm exec --no -- trueup comment plan.md\n      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n        with:\n          name: approved-plan\n          path: plan.json\n          retention-days: 30 # the longest an approval can take\n\n  apply:\n    needs: plan\n    if: needs.plan.outputs.changes == \'true\'\n    runs-on: ubuntu-latest\n    environment: production # the gate\n    permissions:\n      contents: write # to push the ledger, refs/trueup/STACK: no branch, no file\n      pull-requests: write # for the comment\n    steps:\n      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        with:\n          persist-credentials: true # to fetch and push the ledger\n      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0\n        with:\n          node-version: 20\n      - run: npm ci --ignore-scripts\n      - uses: actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0\n        with:\n          name: approved-plan\n      - name: Apply\n        env:\n          TRUEUP_TOKEN: ${{ secrets.TRUEUP_TOKEN }}\n          TRUEUP_LEDGER: git\n          TRUEUP_GUARDS: ${{ vars.TRUEUP_GUARDS }}\n          TRUEUP_LEDGER_KEY: ${{ secrets.TRUEUP_LEDGER_KEY }}\n          TRUEUP_SECRET_database: ${{ secrets.TRUEUP_SECRET_DATABASE }}\n        run: npm exec --no -- trueup apply plan.json -f trueup.yaml --lock-wait 600 --report apply.md\n      - name: Say on the pull request what was applied\n        if: ${{ !cancelled() }} # above all if something failed\n        continue-on-error: true # it is applied, whether or not the comment succeeds\n        env:\n          GITHUB_TOKEN: ${{ github.token }}\n        run: npm exec --no -- trueup comment apply.md\n';

// raw:examples/ci/github/drift.yml
var drift_default = `# .github/workflows/trueup-drift.yml: looks on a schedule for changes made outside, and opens an issue, which it closes
# once nothing differs any more. It also opens a pull request that accepts the changes into the YAML: merge it to keep them, or close it
# and apply to revert them.
#
# - This job pushes with its own token, which starts no other workflow: so the pull request has its plan in the description. Close and
#   reopen it to run the other checks.
# - Allow it under Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests".
# - The value of a variable that is not \`plain\` may be a secret: the variable is named, and the value never written here.
#
# \`--drift-exitcode\` exits with 2 only for changes made outside since the last apply. Merges that are not applied yet, and undeclared
# objects, are not drift. A plan that fails exits with 1, and so does this run.
name: trueup drift
on:
  schedule:
    - cron: "0 6 * * 1-5"
  workflow_dispatch:
permissions: {}

jobs:
  drift:
    runs-on: ubuntu-latest
    environment: plan-main
    permissions:
      contents: write # for the branch of the pull request
      issues: write # for the issue
      pull-requests: write # for the pull request
    steps:
      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1
        with:
          persist-credentials: true # to fetch the ledger and push the branch
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 20
      - run: npm ci --ignore-scripts
      - name: Look
        id: look
        env:
          TRUEUP_TOKEN: \${{ secrets.TRUEUP_TOKEN }}
          TRUEUP_LEDGER: git
          TRUEUP_LEDGER_KEY: \${{ secrets.TRUEUP_LEDGER_KEY }}
          TRUEUP_SECRET_database: \${{ secrets.TRUEUP_SECRET_DATABASE }}
        run: |
          code=0
          npm exec --no -- trueup plan -f trueup.yaml --drift-exitcode --format markdown > plan.md 2> said.txt || code=$?
          cat said.txt >&2
          case $code in
            0) echo "drift=false" >> "$GITHUB_OUTPUT" ;;
            2) echo "drift=true" >> "$GITHUB_OUTPUT" ;;
            *) exit $code ;;
          esac
      - name: Open an issue, or bring the open one up to date
        if: steps.look.outputs.drift == 'true'
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          {
            echo "**$(grep -m 1 'changed outside since the last apply' said.txt)**"
            echo
            echo "Found by [this run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID), which has the whole plan in its summary."
            echo
            if [ "$(wc -c < plan.md)" -lt 65000 ]; then cat plan.md; fi # GitHub accepts 65,536 characters
          } > drift.md
          gh label create trueup-drift --force
          number=$(gh issue list --label trueup-drift --state open --limit 1 --json number --jq '.[0].number // empty')
          if [ -n "$number" ]; then
            gh issue edit "$number" --body-file drift.md
          else
            gh issue create --title "The account was changed outside" --label trueup-drift --body-file drift.md
          fi
      - name: Accept it, in a pull request
        if: steps.look.outputs.drift == 'true'
        env:
          GH_TOKEN: \${{ github.token }}
          TRUEUP_TOKEN: \${{ secrets.TRUEUP_TOKEN }}
          TRUEUP_LEDGER: git
          TRUEUP_LEDGER_KEY: \${{ secrets.TRUEUP_LEDGER_KEY }}
          TRUEUP_SECRET_database: \${{ secrets.TRUEUP_SECRET_DATABASE }}
        run: |
          # What cannot be accepted is listed, and is not a failure: there is the issue.
          npm exec --no -- trueup accept -f trueup.yaml --all --auto-approve > /dev/null 2> taken.txt || true
          cat taken.txt >&2
          if git diff --quiet; then exit 0; fi
          npm exec --no -- trueup plan -f trueup.yaml --format markdown > after.md
          git switch --quiet --force-create trueup-drift
          git -c user.name=github-actions -c user.email=41898282+github-actions[bot]@users.noreply.github.com \\
            commit --quiet --all --message "Accept changes made outside"
          git push --quiet --force origin HEAD:refs/heads/trueup-drift
          {
            echo "The account was changed outside. This writes the changes into the configuration. What is left to do then:"
            echo
            if [ "$(wc -c < after.md)" -lt 60000 ]; then cat after.md; fi # GitHub accepts 65,536 characters
            echo
            sed 's/^/    /' taken.txt | head -c 4000
            echo
            echo "Found by [this run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID)."
          } > taken.md
          number=$(gh pr list --head trueup-drift --state open --limit 1 --json number --jq '.[0].number // empty')
          if [ -n "$number" ]; then
            gh pr edit "$number" --body-file taken.md
          else
            gh pr create --head trueup-drift --title "Accept changes made outside" --body-file taken.md
          fi
      - name: Close the issue, and the pull request
        if: steps.look.outputs.drift == 'false'
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          number=$(gh issue list --label trueup-drift --state open --limit 1 --json number --jq '.[0].number // empty')
          if [ -n "$number" ]; then
            gh issue close "$number" --comment "Nothing differs any more, says [this run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID)."
          fi
          number=$(gh pr list --head trueup-drift --state open --limit 1 --json number --jq '.[0].number // empty')
          if [ -n "$number" ]; then
            gh pr close "$number" --delete-branch --comment "Nothing differs any more."
          fi
`;

// raw:examples/ci/github/plan.yml
var plan_default = '# .github/workflows/trueup-plan.yml: shows in each pull request what merging it would do.\n#\n# Anyone who can push a branch can change everything in it: this file, package.json, the lockfile, .npmrc. So none of these come from there:\n# - `pull_request_target` runs this file as it is on the default branch, whatever the pull request changed.\n# - There are two checkouts. `base` is `main`, with tool and lockfile: every command starts there, including `npm ci`. `change` is the pull\n#   request: it is checked out after `npm ci`, without credentials, and nothing in it runs. trueup reads the YAML that `-f` names, and\n#   what that YAML may read.\n# - Create the environment `plan` under Settings, Environments, restricted to the branch `main`, and store the token there, never as a\n#   repository secret: a workflow pushed on a branch then cannot reach it.\n# - The token should only have read access. This job has no key, so its plans can never be applied, and no secrets of the configuration.\n#   The plan names what it could not compare.\n# - Pull requests from forks or Dependabot are not planned: trueup-validate.yml checks them.\n# - Anything that `--allow-env`, `--allow-files` and `--allow-command` add is available to whoever writes YAML: do not use them in this job.\n# - Actions are pinned to commits, so moving a tag cannot change what runs here. Dependabot can keep commit and version up to date.\n#\n# An update of trueup, or of this file, takes effect with the pull request after the one that brings it. Push the first one to `main`.\nname: trueup plan\non:\n  pull_request_target: # zizmor: ignore[dangerous-triggers] it runs code of this branch only, see above; only YAML is read from the pull request\n    branches: [main]\npermissions: {}\nconcurrency: # only the last push of each pull request is planned\n  group: trueup-plan-${{ github.event.pull_request.number }}\n  cancel-in-progress: true\n\njobs:\n  plan:\n    if: github.event.pull_request.head.repo.full_name == github.repository && github.actor != \'dependabot[bot]\'\n    runs-on: ubuntu-latest\n    environment: plan\n    permissions:\n      contents: read # to fetch the ledger, refs/trueup/STACK; a plan pushes nothing\n      pull-requests: write # for the comment\n    defaults:\n      run:\n        working-directory: base\n    steps:\n      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        with:\n          ref: main\n          path: base\n          persist-credentials: true # to fetch the ledger\n      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0\n        with:\n          node-version: 20\n      - run: npm ci --ignore-scripts\n      - name: Take the pull request as it would be merged\n        uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        continue-on-error: true # GitHub cannot merge it: there is nothing to plan, and the comment says so\n        with:\n          ref: refs/pull/${{ github.event.pull_request.number }}/merge\n          path: change\n          persist-credentials: false\n      - name: Leave it if it is the merge of an earlier push\n        env:\n          HEAD: ${{ github.event.pull_request.head.sha }}\n        run: |\n          if ! git -C ../change cat-file commit HEAD | grep -qx "parent $HEAD"; then\n            echo "::error::GitHub has not merged $HEAD: are there conflicts? Resolve them, or run this again."\n            rm -rf ../change\n          fi\n      - name: Plan\n        env:\n          TRUEUP_TOKEN: ${{ secrets.TRUEUP_TOKEN }}\n          TRUEUP_LEDGER: git # used without a key, since a plan changes nothing\n          TRUEUP_GUARDS: ${{ vars.TRUEUP_GUARDS }} # guards.yaml: rules that plans must obey. Without the variable there are no guards\n        run: npm exec --no -- trueup plan -f ../change/trueup.yaml --allow-incomplete --format markdown --out plan.json > plan.md\n      - name: Comment\n        if: ${{ !cancelled() }} # also comment on a plan with errors, or why there is none\n        env:\n          GITHUB_TOKEN: ${{ github.token }}\n        run: npm exec --no -- trueup comment plan.md\n      # For more detail than fits in a comment: `trueup show plan.json`. It contains no secrets, but the rest is as confidential as the\n      # configuration, and everybody who can read the repository can read artifacts.\n      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n        with:\n          name: plan\n          path: base/plan.json\n          retention-days: 7\n';

// raw:examples/ci/github/sign.yml
var sign_default = '# .github/workflows/trueup-sign.yml: signs a ledger that the key of this repository did not sign, after somebody reviewed it. Start\n# it by hand: once after upgrading from a version that did not sign, after the key was lost or leaked, or after the ledger was written\n# without authorization.\n#\n# Start it without inputs first: its log shows each entry, and it fails with the generation and digest of what it showed. If all of\n# that is yours, start it again with both. Once it is signed, apply deletes what is in the ledger but not declared.\n#\n# Create the key once on your machine, and keep it: `npm exec --no -- trueup ledger key --print > key`, then\n# `gh secret set TRUEUP_LEDGER_KEY --env production < key`, the same with `--env plan-main`, and never without `--env`: repository\n# secrets can be read by anyone who can push a branch. To rotate the key, set TRUEUP_LEDGER_KEY_PREVIOUS to the old one until one apply\n# has succeeded; after a leak, do not set it, and run this instead.\nname: trueup ledger sign\non:\n  workflow_dispatch:\n    inputs:\n      generation:\n        description: the generation that you looked at (empty to look)\n        type: string\n      digest:\n        description: the digest that you looked at (empty to look)\n        type: string\npermissions:\n  contents: read\nconcurrency:\n  group: trueup-apply\n  cancel-in-progress: false\n\njobs:\n  sign:\n    if: github.ref_name == github.event.repository.default_branch\n    runs-on: ubuntu-latest\n    environment: production # the gate, and where the key is\n    permissions:\n      contents: write # to push the ledger, refs/trueup/STACK: no branch, no file\n    steps:\n      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        with:\n          persist-credentials: true # to fetch and push the ledger\n      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0\n        with:\n          node-version: 20\n      - run: npm ci --ignore-scripts\n      - name: Sign\n        env:\n          TRUEUP_LEDGER: git\n          TRUEUP_LEDGER_KEY: ${{ secrets.TRUEUP_LEDGER_KEY }}\n          GENERATION: ${{ inputs.generation }}\n          DIGEST: ${{ inputs.digest }}\n        run: npm exec --no -- trueup ledger sign -f trueup.yaml ${GENERATION:+--generation "$GENERATION"} ${DIGEST:+--digest "$DIGEST"} --lock-wait 600\n';

// raw:examples/ci/github/validate.yml
var validate_default = "# .github/workflows/trueup-validate.yml: checks the configuration of every pull request, including forks, and marks problems at their lines.\n# It has no secrets and a read-only token, so a pull request that changes this very file does no harm.\n#\n# As in trueup-plan.yml, there are two checkouts: `base` has the tool and lockfile of the target branch, and every command starts there;\n# only YAML is read from the pull request, in `change`, and nothing in it runs.\nname: trueup validate\non:\n  pull_request:\n    branches: [main]\npermissions:\n  contents: read\n\njobs:\n  validate:\n    runs-on: ubuntu-latest\n    defaults:\n      run:\n        working-directory: base\n    steps:\n      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        with:\n          ref: main\n          path: base\n          persist-credentials: false\n      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0\n        with:\n          node-version: 20\n      - run: npm ci --ignore-scripts\n      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n        with: # no `ref`: the pull request as it would be merged\n          path: change\n          persist-credentials: false\n      - run: npm exec --no -- trueup validate -f ../change/trueup.yaml\n";

// src/ci/edit-workflow.ts
var import_yaml = __toESM(require_dist(), 1);
function withLines(text, edits) {
  return edits.reduce((whole, [from, to]) => {
    if (!whole.includes(from)) throw new Error(`the workflow has no ${JSON.stringify(from)}`);
    return whole.replaceAll(from, () => to);
  }, text);
}
function withWords(text, { whole = {}, part = {} }) {
  const found = [];
  (0, import_yaml.visit)((0, import_yaml.parseDocument)(text), (_, node, way) => {
    if (!(0, import_yaml.isScalar)(node) || typeof node.value !== "string") return;
    const [from, to] = node.range;
    const raw = text.slice(from, to);
    const isInFlow = way.some((one) => (0, import_yaml.isCollection)(one) && one.flow === true);
    const plain = (word) => quoted2(word, isInFlow);
    if (Object.hasOwn(whole, node.value)) found.push({ from, to, written: plain(whole[node.value]) });
    else if (Object.keys(part).some((word) => raw.includes(word)))
      found.push({
        from,
        to,
        written: isBlock(node) ? putIn(raw, part) : plain(putIn(node.value, part))
      });
  });
  return found.sort((a, b) => b.from - a.from).reduce((now, { from, to, written: written2 }) => now.slice(0, from) + written2 + now.slice(to), text);
}
var isBlock = ({ type }) => type === import_yaml.Scalar.BLOCK_LITERAL || type === import_yaml.Scalar.BLOCK_FOLDED;
var putIn = (text, words) => text.replace(new RegExp(Object.keys(words).map(literally).join("|"), "g"), (word) => words[word]);
function quoted2(text, isInFlow) {
  try {
    const { key } = (0, import_yaml.parse)(isInFlow ? `{key: [${text}]}` : `key: ${text}`);
    if ((isInFlow ? key.length === 1 && key[0] : key) === text) return text;
  } catch {
  }
  return JSON.stringify(text);
}
var shellPath = (path3) => shellWord(path3.startsWith("-") ? `./${path3}` : path3);

// src/ci/repository.ts
var secretName = ({ env }) => env.toUpperCase();
var allowedNames = (secrets) => secrets.map(({ env }) => env).filter((env) => !env.startsWith("TRUEUP_SECRET_"));
var jobsOfMain = "plan-main, production";
var secretSettings = ({ secrets }, { accounts }, nameOf) => [
  ["TRUEUP_TOKEN", "plan", `a read-only token${reach(accounts)}`],
  ["TRUEUP_TOKEN", jobsOfMain, "one with write access"],
  ["TRUEUP_LEDGER_KEY", jobsOfMain, "`trueup ledger key --print` creates it; keep a copy somewhere safe"],
  ...secrets.map((secret) => [nameOf(secret), jobsOfMain, `the secret ${secret.name}`])
];
var reach = (accounts) => accounts.length > 1 ? `; it has to reach ${listed(accounts)}` : `, for ${accounts.join()}`;
function settingLines(settings) {
  const widths = [0, 1].map((column) => Math.max(...settings.map((one) => one[column].length)));
  return settings.map(
    ([name, where, about]) => `  ${name.padEnd(widths[0])}  ${where.padEnd(widths[1])}  ${about}`
  );
}

// src/ci/github.ts
var githubTemplates = { validate: validate_default, plan: plan_default, apply: apply_default, drift: drift_default, sign: sign_default };
var githubFiles = (repository) => Object.entries(githubTemplates).map(([name, template]) => ({
  path: `.github/workflows/trueup-${name}.yml`,
  text: written("file" in repository.stacks ? template : withLines(template, forStacks[name]), repository)
}));
var ofSample = `          TRUEUP_SECRET_database: \${{ secrets.TRUEUP_SECRET_DATABASE }}
`;
function written(template, { branch, tool, stacks, secrets, variables }) {
  const edits = [
    ["`main`", `\`${branch}\``],
    ["branches: [main]", "branches: [PATTERN]"],
    [ofSample, secretLines(secrets)],
    ...variableEdits(variables)
  ];
  const there = edits.filter(([from]) => template.includes(from));
  return withWords(withLines(template, there), {
    whole: { main: branch, PATTERN: branch.replaceAll(/[*?+[\]!\\]/g, "\\$&") },
    part: { ...ofStacks(stacks), ...tool === "" ? {} : inFolder(shellPath(tool)) }
  });
}
function ofStacks(stacks) {
  if ("workspace" in stacks) return stacks.workspace === "" ? {} : inWorkspace(stacks.workspace);
  return {
    "-f ../change/trueup.yaml": `-f ${shellWord(`../change/${stacks.file}`)}`,
    "-f trueup.yaml": `-f ${shellPath(stacks.file)}`
  };
}
var inFolder = (folder) => ({
  "npm ci --ignore-scripts": `npm ci --ignore-scripts --prefix ${folder}`,
  "npm exec --no --": `npm exec --prefix ${folder} --no --`
});
function secretLines(secrets) {
  const allowed = allowedNames(secrets);
  return [
    ...secrets.map((secret) => `${secret.env}: \${{ secrets.${secretName(secret)} }}`),
    ...allowed.length > 0 ? [`TRUEUP_ALLOW_ENV: ${allowed.join(",")} # what the YAML may read of the environment`] : []
  ].map((line) => `          ${line}
`).join("");
}
function variableEdits(variables) {
  if (variables.length === 0) return [];
  const lines = variables.map((one) => `          ${one.env}: \${{ vars.${secretName(one)} }}
`).join("");
  const validate = "run: npm exec --no -- trueup validate";
  return [
    ["          TRUEUP_LEDGER: git", `${lines}          TRUEUP_LEDGER: git`],
    [`      - ${validate}`, `      - env:
${lines}        ${validate}`]
  ];
}
var forStacks = {
  validate: [
    [
      "# .github/workflows/trueup-validate.yml: checks the configuration of every pull request,",
      "# .github/workflows/trueup-validate.yml, of a repository with several stacks (trueup.workspace.yaml): checks all of them in every pull request,"
    ],
    ["validate -f ../change/trueup.yaml", "validate --workspace ../change --all"]
  ],
  plan: [
    [
      "# .github/workflows/trueup-plan.yml: shows in each pull request what merging it would do.\n",
      `# .github/workflows/trueup-plan.yml, of a repository with several stacks (trueup.workspace.yaml): shows in each pull request what merging it
# would do to the affected stacks, in one comment.
`
    ],
    [
      "          path: change\n",
      `          path: change
          fetch-depth: 2 # the merge and its target, to find the affected stacks
`
    ],
    ["plan -f ../change/trueup.yaml", "plan --workspace ../change --changed-since HEAD^1"]
  ],
  apply: [
    [
      "# .github/workflows/trueup-apply.yml: plans what was merged,",
      `# .github/workflows/trueup-apply.yml, of a repository with several stacks (trueup.workspace.yaml): one approval covers one file with the plans
# of all of them, and each stack is applied after the stacks it needs.
#
# It plans what was merged,`
    ],
    ["trueup plan -f trueup.yaml", "trueup plan --all"],
    ["trueup apply plan.json -f trueup.yaml", "trueup apply plan.json"]
  ],
  drift: [
    [
      "# .github/workflows/trueup-drift.yml: looks on a schedule",
      "# .github/workflows/trueup-drift.yml, of a repository with several stacks (trueup.workspace.yaml): looks on a schedule"
    ],
    ["trueup plan -f trueup.yaml", "trueup plan --all"],
    [
      `"**$(grep -m 1 'changed outside since the last apply' said.txt)**"`,
      '"**What is listed under \\"Drift\\" was changed outside since the last apply.**"'
    ],
    [
      `          npm exec --no -- trueup accept -f trueup.yaml --all --auto-approve > /dev/null 2> taken.txt || true
`,
      `          # One stack after the other: what is written for one is used for the next.
          npm exec --no -- trueup stacks --json > stacks.json
          node -e 'for (const { file, stage } of JSON.parse(fs.readFileSync("stacks.json")).include) console.log([file, stage ?? ""].join("\\t"))' |
            while IFS=$'\\t' read -r file stage; do
              npm exec --no -- trueup accept -f "$file" \${stage:+--stage "$stage"} --all --auto-approve > /dev/null 2>> taken.txt || true
            done
`
    ]
  ],
  sign: [
    [
      "# .github/workflows/trueup-sign.yml: signs a ledger that",
      "# .github/workflows/trueup-sign.yml, of a repository with several stacks (trueup.workspace.yaml): signs the ledger of one of them that"
    ],
    ["# Start it without inputs first:", "# Start it with the stack alone first:"],
    ["start it again with both.", "start it again with both, too."],
    [
      "    inputs:\n",
      `    inputs:
      stack:
        description: the folder or file of its configuration
        type: string
        required: true
      stage:
        description: the stage, where it has stages
        type: string
`
    ],
    [
      "          GENERATION: ",
      `          STACK: \${{ inputs.stack }}
          STAGE: \${{ inputs.stage }}
          GENERATION: `
    ],
    ["ledger sign -f trueup.yaml", 'ledger sign -f "$STACK" ${STAGE:+--stage "$STAGE"}']
  ]
};
var inWorkspace = (folder) => ({
  "--workspace ../change": `--workspace ${shellWord(`../change/${folder}`)}`,
  "trueup plan --all": `trueup plan --all --workspace ${shellPath(folder)}`,
  "trueup apply plan.json": `trueup apply plan.json --workspace ${shellPath(folder)}`,
  "trueup stacks --json": `trueup stacks --workspace ${shellPath(folder)} --json`
});
var githubDoes = {
  validate: "checks every pull request, including forks",
  plan: "plans it and comments",
  apply: "plans what was merged and applies it once approved",
  drift: "checks for drift every workday",
  sign: "signs a ledger by hand, after review"
};
function githubSteps(repository, needs, version2) {
  const { branch, variables, tool } = repository;
  const folder = tool === "" ? "at the top of the repository" : `in ${tool}`;
  return [
    ...needs.hasTool ? [] : [
      [
        `Add trueup to the lockfile ${folder}; the workflows run the version it pins:`,
        `  npm install --save-dev --save-exact ./trueup-${version2}.tgz`
      ]
    ],
    [
      `Settings, Environments: create \`plan\`, \`plan-main\` and \`production\`, each restricted to the branch ${branch};`,
      "`production` with required reviewers, who approve each plan."
    ],
    [
      "Set these as environment secrets, never as repository secrets: gh secret set NAME --env ENVIRONMENT",
      ...settingLines(secretSettings(repository, needs, secretName))
    ],
    ...variables.length === 0 ? [] : [
      [
        "Set the repository variables that the configuration needs: gh variable set NAME",
        ...settingLines(
          variables.map((one) => [secretName(one), "", `the variable ${one.name}, shown in plans`])
        )
      ]
    ],
    ...needs.notes,
    [`Settings, Branches: protect ${branch}, and require pull requests with a review.`],
    ['Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests", for drift.'],
    [`Commit all of this to ${branch}: pull requests are planned from then on.`]
  ];
}

// raw:examples/ci/gitlab-ci.yml
var gitlab_ci_default = '# gitlab-ci.yml in a separate project, here `acme/trueup-ci`: plan in the merge request, apply on the default branch after a click, drift\n# on a schedule.\n#\n# A merge request brings its own .gitlab-ci.yml, which could run anything, so it is not used: in the project with the\n# YAML, under Settings, CI/CD, General pipelines, the CI/CD configuration file is `gitlab-ci.yml@acme/trueup-ci`. That project contains\n# this file, package.json and package-lock.json with trueup. Only people you trust with the account may push there, and its job token\n# permissions let the project with the YAML read it. Each job makes two checkouts: `tool` of that project, where every command starts, and\n# `change` of the commit in question, which is fetched after `npm ci` and without credentials, and nothing in it runs.\n#\n# Variables of the project with the YAML, under Settings, CI/CD (all masked):\n# - TRUEUP_TOKEN, unprotected, in the environment scope `plan`: a read-only token.\n# - TRUEUP_TOKEN, TRUEUP_LEDGER_KEY (from `trueup ledger key --print`), and TRUEUP_SECRET_name for each secret of the configuration,\n#   protected, in the scopes `plan-main` and `production`. Protect the default branch, and the environment `production`.\n# - TRUEUP_PUSH_TOKEN, protected, in the scope `production`: a project access token with `write_repository`, for the ledger in\n#   refs/trueup/STACK.\n# - TRUEUP_DRIFT_TOKEN, protected, in the scope `plan-main`, for merge requests about drift: a project access token with\n#   `write_repository` and the role Developer, which may not push to the protected default branch.\n# - TRUEUP_COMMENT_TOKEN, protected, in the scope `production`, to report on the merge request what was applied: a project access token with\n#   `api` and the role Reporter.\n# - TRUEUP_GUARDS, unprotected, for guards: `guards.yaml`, a file in the project of the tool.\n# - Minimum role to use pipeline variables: Maintainer.\n# A merge request from a fork is validated but not planned: do not run its pipelines in this project. Enable merged results pipelines, so\n# that what is planned is what is merged. Anything that `--allow-env`, `--allow-files` and `--allow-command` add in jobs of merge requests\n# is available to anyone who can push a branch: do not use them there.\nstages: [check, apply]\nvariables:\n  GIT_STRATEGY: empty # nothing is checked out where commands start\n  GIT_LFS_SKIP_SMUDGE: "1"\n  TRUEUP_LEDGER: git:site # used without a key in jobs that only plan, since a plan changes nothing\n\ndefault:\n  image: node:20\n  before_script:\n    # Remotes with credentials, for this job only: in .git/config they would stay on the runner.\n    - export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=remote.site.url GIT_CONFIG_KEY_1=remote.tool.url\n    - export GIT_CONFIG_VALUE_0="https://gitlab-ci-token:${CI_JOB_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git"\n    - export GIT_CONFIG_VALUE_1="https://gitlab-ci-token:${CI_JOB_TOKEN}@${CI_SERVER_HOST}/acme/trueup-ci.git"\n    - git init --quiet tool\n    - cd tool\n    - git fetch --quiet --depth=1 tool HEAD\n    - git checkout --quiet FETCH_HEAD\n    - npm ci --ignore-scripts\n    - git init --quiet ../change\n    - git -C ../change fetch --quiet --depth=1 site "$CI_COMMIT_SHA"\n    - git -C ../change checkout --quiet FETCH_HEAD\n\nvalidate:\n  stage: check\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "merge_request_event"\n  script:\n    - npm exec --no -- trueup validate -f ../change/trueup.yaml\n\nplan: # GitLab shows the counts in the merge request; the log and the artifact have the details\n  stage: check\n  environment:\n    name: plan\n    action: prepare\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID\n  script:\n    - npm exec --no -- trueup plan -f ../change/trueup.yaml --allow-incomplete --out ../plan.json\n    - npm exec --no -- trueup show ../plan.json --format gitlab > ../counts.json\n  artifacts: &plan-artifacts\n    public: false\n    expire_in: 1 week\n    paths: [plan.json]\n    reports:\n      terraform: counts.json\n\nplan-merged:\n  stage: check\n  environment:\n    name: plan-main\n    action: prepare\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n  script:\n    - npm exec --no -- trueup plan -f ../change/trueup.yaml --out ../plan.json\n    - npm exec --no -- trueup show ../plan.json --format gitlab > ../counts.json\n  artifacts: *plan-artifacts\n\napply: # applies exactly the plan of `plan-merged`, or nothing\n  stage: apply\n  needs: [plan-merged]\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n      when: manual # started by somebody who may deploy to the protected environment\n      allow_failure: true # a missing click does not block the pipeline\n  environment: production\n  resource_group: trueup # one at a time\n  script:\n    - &push export GIT_CONFIG_VALUE_0="https://trueup:${TRUEUP_PUSH_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git"\n    - npm exec --no -- trueup apply ../plan.json -f ../change/trueup.yaml --lock-wait 600 --report ../apply.md\n  after_script: # reports on the merge request what was applied, what failed, and what to do next; never fails the job\n    - if [ -z "${TRUEUP_COMMENT_TOKEN:-}" ] || [ ! -e apply.md ]; then exit 0; fi\n    - cd tool\n    - npm exec --no -- trueup comment ../apply.md\n\ndrift: # fails with exit code 2, which notifies about the failed pipeline, only if the account was changed outside\n  stage: check\n  environment:\n    name: plan-main\n    action: prepare\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "schedule"\n  script:\n    - npm exec --no -- trueup plan -f ../change/trueup.yaml --drift-exitcode\n\n# Changes made outside, as a merge request that accepts them into the YAML: merge it to keep them, or close it and apply to revert them.\n# Its own pipeline plans what is left to do then. What cannot be accepted is listed in the log: above all the value of a variable that\n# is not `plain`, which may be a secret. Commits to the branch are overwritten by the next schedule.\ndrift-merge-request:\n  stage: apply\n  needs: [drift]\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "schedule" && $TRUEUP_DRIFT_TOKEN\n      when: on_failure\n  environment:\n    name: plan-main\n    action: prepare\n  script:\n    - npm exec --no -- trueup accept -f ../change/trueup.yaml --all --auto-approve > ../taken.diff || true\n    - if git -C ../change diff --quiet; then exit 0; fi\n    - git -C ../change -c user.name=drift -c user.email=drift@localhost commit --quiet --all --message "Accept changes made outside"\n    - &drift-push export GIT_CONFIG_VALUE_0="https://trueup:${TRUEUP_DRIFT_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git"\n    - git -C ../change push --quiet --force -o merge_request.create -o merge_request.target="$CI_DEFAULT_BRANCH" -o merge_request.title="Accept changes made outside" -o merge_request.description="Found by $CI_PIPELINE_URL" site HEAD:refs/heads/trueup-drift\n\ndrift-over: # nothing differs any more: an open merge request is closed with its branch\n  stage: apply\n  needs: [drift]\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "schedule" && $TRUEUP_DRIFT_TOKEN\n  environment:\n    name: plan-main\n    action: prepare\n  script:\n    - *drift-push\n    - if git ls-remote --exit-code site refs/heads/trueup-drift; then git push --quiet site :refs/heads/trueup-drift; fi\n\n# Signs a ledger that the key did not sign: once after upgrading from a version that did not sign, after the key was lost or leaked, or\n# after the ledger was written without authorization. The first click shows each entry, and fails with the generation and the digest; if\n# all of that is yours, click again with both as the variables GENERATION and DIGEST.\nledger-sign:\n  stage: apply\n  needs: []\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "web" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n      when: manual\n  environment: production\n  resource_group: trueup\n  script:\n    - *push\n    - npm exec --no -- trueup ledger sign -f ../change/trueup.yaml ${GENERATION:+--generation "$GENERATION"} ${DIGEST:+--digest "$DIGEST"} --lock-wait 600\n';

// raw:examples/ci/gitlab-stacks.yml
var gitlab_stacks_default = '# gitlab-stacks.yml in the project of the tool, beside gitlab-ci.yml, for a repository with many stacks: a merge request plans those that it\n# touches, and one click applies all plans of what was merged. All that gitlab-ci.yml says holds here: only what the jobs run differs. The\n# CI/CD configuration file of the project with the YAML is `gitlab-stacks.yml@acme/trueup-ci`.\n#\n# Here, too, every command starts in `tool`. The stacks are those of trueup.workspace.yaml in `change`; each has a ledger of its own,\n# refs/trueup/STACK.\ninclude:\n  - project: acme/trueup-ci\n    file: gitlab-ci.yml\n\nvalidate:\n  script:\n    - npm exec --no -- trueup validate --workspace ../change --all\n\nplan:\n  script:\n    - git -C ../change fetch --quiet --depth=2147483647 site "$CI_COMMIT_SHA" # all of it: what a merge request touches is told by its history\n    - npm exec --no -- trueup plan --workspace ../change --changed-since "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --allow-incomplete --out ../plan.json\n    - test ! -e ../plan.json || npm exec --no -- trueup show ../plan.json --format gitlab > ../counts.json # nothing touched, no plan\n\nplan-merged:\n  script:\n    - npm exec --no -- trueup plan --workspace ../change --all --out ../plan.json\n    - npm exec --no -- trueup show ../plan.json --format gitlab > ../counts.json\n\napply:\n  script:\n    - export GIT_CONFIG_VALUE_0="https://trueup:${TRUEUP_PUSH_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git"\n    - npm exec --no -- trueup apply ../plan.json --workspace ../change --lock-wait 600 --report ../apply.md\n\ndrift:\n  script:\n    - npm exec --no -- trueup plan --workspace ../change --all --drift-exitcode\n\ndrift-merge-request: # of each stack, one after the other: what is written for one is there for the next\n  script:\n    - |\n      npm exec --no -- trueup stacks --workspace ../change --json > ../stacks.json\n      node -e \'for (const { file, stage } of JSON.parse(fs.readFileSync("../stacks.json")).include) console.log([file, stage ?? ""].join("\\t"))\' |\n        while IFS=$\'\\t\' read -r file stage; do\n          npm exec --no -- trueup accept -f "$file" ${stage:+--stage "$stage"} --all --auto-approve > /dev/null || true\n        done\n      if git -C ../change diff --quiet; then exit 0; fi\n      git -C ../change -c user.name=drift -c user.email=drift@localhost commit --quiet --all --message "Accept changes made outside"\n      export GIT_CONFIG_VALUE_0="https://trueup:${TRUEUP_DRIFT_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git"\n      git -C ../change push --quiet --force -o merge_request.create -o merge_request.target="$CI_DEFAULT_BRANCH" -o merge_request.title="Accept changes made outside" -o merge_request.description="Found by $CI_PIPELINE_URL" site HEAD:refs/heads/trueup-drift\n\nledger-sign: # of one stack: its folder or file as the variable STACK, and STAGE where it has stages\n  script:\n    - export GIT_CONFIG_VALUE_0="https://trueup:${TRUEUP_PUSH_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git"\n    - npm exec --no -- trueup ledger sign -f "../change/$STACK" ${STAGE:+--stage "$STAGE"} ${GENERATION:+--generation "$GENERATION"} ${DIGEST:+--digest "$DIGEST"} --lock-wait 600\n';

// src/ci/gitlab.ts
var gitlabTemplates = { pipeline: gitlab_ci_default, pipelineOfStacks: gitlab_stacks_default };
var ofSample2 = ["acme", "trueup-ci"].join("/");
function gitlabFiles({ stacks }, project) {
  const { pipeline, pipelineOfStacks } = gitlabTemplates;
  const named = (text2) => withLines(text2, [[ofSample2, project]]);
  const text = named(pipeline);
  if ("file" in stacks) return [{ path: "gitlab-ci.yml", text: withFile(text, stacks.file) }];
  const { workspace } = stacks;
  const ofStacks2 = named(pipelineOfStacks);
  return [
    { path: "gitlab-ci.yml", text },
    { path: "gitlab-stacks.yml", text: workspace === "" ? ofStacks2 : withWorkspace(ofStacks2, workspace) }
  ];
}
var withFile = (text, file) => withWords(text, { part: { "-f ../change/trueup.yaml": `-f ${shellWord(`../change/${file}`)}` } });
var withWorkspace = (text, folder) => withWords(text, { part: { "--workspace ../change": `--workspace ${shellWord(`../change/${folder}`)}` } });
var gitlabDoes = {
  "gitlab-ci.yml": "the jobs: validate, plan, apply, drift, sign",
  "gitlab-stacks.yml": "the same jobs, for all stacks of the workspace"
};
function gitlabSteps(repository, needs, { project, folder, version: version2 }) {
  const { stacks, secrets, variables } = repository;
  const pipeline = "file" in stacks ? "gitlab-ci.yml" : "gitlab-stacks.yml";
  const allowed = allowedNames(secrets).join(",");
  const settings = [
    ...secretSettings(repository, needs, ({ env }) => env),
    ["TRUEUP_PUSH_TOKEN", "production", "a project access token with `write_repository`, for the ledger"],
    [
      "TRUEUP_COMMENT_TOKEN",
      "production",
      "one with `api` and the role Reporter, to report what was applied"
    ],
    ["TRUEUP_DRIFT_TOKEN", "plan-main", "one with the role Developer, for merge requests about drift"]
  ];
  const plain = [
    ...allowed === "" ? [] : [["TRUEUP_ALLOW_ENV", "plan-main, production", allowed]],
    ...variables.map(({ name, env }) => [env, "*", `the variable ${name}, shown in plans`])
  ];
  return [
    [
      `Create the project ${project}, writable only by people you trust with the account, and move`,
      `${folder} there: no code that runs may come from a merge request.`,
      `  mv ${folder} ../trueup-ci && cd ../trueup-ci && git init -b main`,
      `  npm install --save-exact ./trueup-${version2}.tgz`
    ],
    [`In ${project}: Settings, CI/CD, Job token permissions: let the project with the YAML read it.`],
    [
      "In the project with the YAML, here and below: Settings, CI/CD, General pipelines,",
      `CI/CD configuration file: ${pipeline}@${project}`
    ],
    [
      "Settings, CI/CD, Variables, each masked, and protected unless its environment scope is `plan`:",
      ...settingLines(settings)
    ],
    ...plain.length === 0 ? [] : [["Also set, neither masked nor protected (they are not secrets):", ...settingLines(plain)]],
    ...needs.notes,
    ["Settings, CI/CD, Variables: the minimum role to use pipeline variables is Maintainer."],
    ["Protect the default branch, and the environment `production`; turn on merged results pipelines."],
    ["Build, Pipeline schedules: one every workday on the default branch, for drift."]
  ];
}

// src/cli/ci-repository.ts
;
;

// src/cli/ci-one-stack.ts
;
async function oneStack(provider, run, { here, top, inTree, fresh }) {
  const name = await defaultIn(here, "");
  const others = (await configurationsBelow(top)).filter((one) => one !== (inTree(here) || "."));
  if (name === void 0 && others.length > 0) throw new Problems([await elsewhere(top, others)]);
  const sources = sourcesFor({}, run.host);
  const options = loadOptions(provider, name === void 0 ? {} : { file: [name] }, run);
  const lookAt = (stage) => load({
    ...options,
    ...name === void 0 ? { text: fresh } : {},
    ...stage === void 0 ? {} : { stage },
    sources
  });
  const look = await lookAt();
  const file = inTree(path.join(here, name ?? "trueup.yaml"));
  const notes = others.length === 0 ? [] : [notAbout(file, others)];
  if (name === void 0)
    return { looks: [look], stacks: { file }, files: [{ path: file, text: fresh }], notes, isFresh: true };
  if (look.stages.length === 0) return { looks: [look], stacks: { file }, files: [], notes };
  const folder = inTree(here);
  return {
    looks: await Promise.all(look.stages.map((stage) => lookAt(stage))),
    stacks: { workspace: folder },
    files: [{ path: path.posix.join(folder, workspaceFile), text: "stacks: [.] # with all its stages\n" }],
    notes
  };
}
var listed2 = (names) => names.map((name) => JSON.stringify(name)).join(", ");
var notAbout = (file, others) => [
  `These files cover ${file} only, not ${count(others.length, "configuration")} elsewhere: ${others.slice(0, 5).join(", ")}.`,
  `To plan all of them together, list them in ${workspaceFile}, delete these files and run this again.`
];
async function elsewhere(top, others) {
  const workspaces = new Set(
    await Promise.all(others.map(async (one) => await workspaceFolder(path.join(top, one)) ?? ""))
  );
  const [workspace = ""] = workspaces;
  const only = workspaces.size === 1 && workspace !== "" ? path.relative(top, workspace) || "." : others.length === 1 ? others[0] : void 0;
  return problem(
    "init/elsewhere",
    `there is no configuration in this folder, but ${others.length === 1 ? "one" : `${others.length}`} elsewhere in the repository`,
    {
      hint: only !== void 0 ? `run this in that folder: cd ${shellWord(only)}` : `list them in ${workspaceFile} at the root of the repository and run this there: \`stacks: [${listed2(others.slice(0, 5))}]\``
    }
  );
}
var lastingProblems = ({ diagnostics }) => diagnostics.filter(({ severity, code }) => severity === "error" && code !== "var/missing");
var secretsOf = (looks) => once(
  looks.flatMap(
    (look) => usedNames(look).flatMap((name) => {
      const source = look.secrets.get(name);
      return source && "env" in source ? [{ name, env: source.env }] : [];
    })
  )
);
var variablesOf = (looks) => once(
  looks.flatMap(
    ({ missingVariables, variableOrigins }) => [...missingVariables, ...variableOrigins.keys()].map((name) => ({ name, env: variableEnv(name) }))
  )
);
var once = (all) => [...new Map(all.map((one) => [one.env, one])).values()];
function usedNames({ secrets, usedSecrets, missingVariables, notAllowed }) {
  const isWhole = missingVariables.length === 0 && notAllowed.length === 0;
  return [...isWhole ? usedSecrets : /* @__PURE__ */ new Set([...usedSecrets, ...secrets.keys()])].sort();
}
function furtherSources(looks) {
  const found = /* @__PURE__ */ new Map();
  for (const look of looks)
    for (const name of usedNames(look)) {
      const source = look.secrets.get(name);
      if (!source || "env" in source) continue;
      const isInside = "file" in source && !isAbsolute(source.file) && !source.file.startsWith("..");
      if (isInside) continue;
      const what = "file" in source ? "a file outside of the repository" : "a program";
      found.set(name, [
        `The secret ${quoted(name)} comes from ${what}, ${quoted(originText(source).replace(/^\w+ /, ""))}.`,
        "Provide it in the jobs that have the other secrets, and allow it there: `trueup validate` prints the flag."
      ]);
    }
  return [...found.values()];
}

// src/cli/ci-repository.ts
async function lookAtRepository(provider, { ci, branch: given }, run, fresh) {
  const { cwd } = run.host;
  const env = Object.fromEntries(
    Object.entries(run.host.env).filter(([name]) => !name.startsWith("TRUEUP_VAR_"))
  );
  const inCi = { host: { ...run.host, env }, exitCode: 0 };
  const here = await realpath(cwd);
  const top = workTreeOf(here);
  if (top === void 0) throw new Problems([noRepository]);
  const inTree = (file) => path2.relative(top, file).split(path2.sep).join("/");
  const workspace = await workspaceFolder(here);
  const {
    looks,
    stacks,
    files,
    notes,
    isFresh = false
  } = workspace === void 0 ? await oneStack(provider, inCi, { here, top, inTree, fresh }) : {
    looks: (await workspaceStacks(provider, standard, inCi)).all.map(({ look }) => look),
    stacks: { workspace: inTree(workspace) },
    files: [],
    notes: []
  };
  const branch = ci === "gitlab" ? "" : given ?? await defaultBranch(here, env).catch(() => void 0);
  const wrong = [...looks.flatMap(lastingProblems), ...branch === void 0 ? [noBranch] : []];
  if (wrong.length > 0) throw new Problems(wrong);
  const tool = await packageFolder(here, top);
  const repository = {
    branch,
    tool: inTree(tool.folder),
    stacks,
    secrets: secretsOf(looks),
    variables: variablesOf(looks)
  };
  const odd = oddWords(repository);
  if (odd.length > 0) throw new Problems(odd);
  return {
    top,
    repository,
    accounts: accountsOf(looks),
    hasTool: tool.hasTrueup,
    files,
    isFresh,
    notes: [...notes, ...furtherSources(looks)]
  };
}
async function packageFolder(from, top) {
  for (let folder = from; ; folder = path2.dirname(folder)) {
    const text = await readFile(path2.join(folder, "package-lock.json"), "utf8").catch(() => void 0);
    if (text !== void 0) return { folder, hasTrueup: hasTrueup(text) };
    if (folder === top || folder === path2.dirname(folder)) return { folder: top, hasTrueup: false };
  }
}
function hasTrueup(lockfile) {
  try {
    const { packages = {} } = JSON.parse(lockfile);
    return Object.hasOwn(packages, "node_modules/trueup");
  } catch {
    return false;
  }
}
function accountsOf(looks) {
  const all = looks.flatMap(({ platform }) => platform ?? []);
  return [...new Set(all.map((scope) => "team" in scope ? `team ${scope.team}` : "your own account"))];
}
var noRepository = problem(
  "init/no-repository",
  "this folder is not in a git repository, where workflows belong",
  { hint: "run this in your clone, or create a repository with `git init` first" }
);
var noBranch = problem("init/branch", "git does not know the default branch", {
  hint: "pass it with --branch main, or let git look it up: `git remote set-head origin --auto`"
});
function oddWords({ branch, tool, stacks, secrets, variables }) {
  const places = [
    ["the default branch", branch],
    ["the folder of the lockfile", tool],
    [
      "file" in stacks ? "the configuration" : "the workspace",
      "file" in stacks ? stacks.file : stacks.workspace
    ]
  ];
  return [
    ...places.filter(([, name]) => /[\p{C}\p{Zl}\p{Zp}]|\$\{\{/u.test(name)).map(
      ([what, name]) => problem("init/ci-name", `${what} ${quoted(name)} has a name that cannot be used in a workflow`, {
        hint: "names must not contain control characters or `${{`: rename it"
      })
    ),
    ...[
      ...secrets.map((one) => ({ ...one, what: "secret" })),
      ...variables.map((one) => ({ ...one, what: "variable" }))
    ].filter(({ env }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(env) || /^GITHUB_/i.test(env)).map(
      ({ name, env, what }) => problem(
        "init/ci-name",
        `the ${what} ${quoted(name)} is read from ${quoted(env)}, which CI cannot provide`,
        {
          hint: "use letters A to Z, digits and `_`, not starting with GITHUB_: rename it, or give a secret another variable with `{ env: NAME }`"
        }
      )
    ),
    ...sameName([...secrets, ...variables])
  ];
}
function sameName(secrets) {
  const first = /* @__PURE__ */ new Map();
  return secrets.flatMap((secret) => {
    const other = first.get(secret.env.toUpperCase());
    if (!other) first.set(secret.env.toUpperCase(), secret);
    if (!other) return [];
    return [
      problem(
        "init/ci-name",
        `${quoted(other.name)} and ${quoted(secret.name)} are read from ${other.env} and ${secret.env}, which CI treats as the same name`,
        { hint: "names are not case-sensitive there: rename one of them" }
      )
    ];
  });
}

// src/cli/init-ci.ts
async function ciWork(provider, options, run, fresh) {
  const looked = await lookAtRepository(provider, options, run, fresh);
  const { top, isFresh } = looked;
  const { files, steps } = options.ci === "gitlab" ? await onGitlab(looked, options, run) : onGithub(looked);
  const all = [
    ...looked.files.map((file) => ({
      ...file,
      does: isFresh ? "a first configuration: set your team in it" : "lists the stages for the workflows"
    })),
    ...files
  ];
  const missing = await missingFiles(all, top);
  return {
    top,
    isFresh,
    files: all.filter(({ path: path3 }) => missing.has(path3)),
    kept: all.filter(({ path: path3 }) => !missing.has(path3)),
    steps
  };
}
var onGithub = (looked) => ({
  files: githubFiles(looked.repository).map((file) => ({
    ...file,
    does: githubDoes[/trueup-(\w+)\.yml$/.exec(file.path)[1]]
  })),
  steps: githubSteps(looked.repository, looked, version)
});
var folderOfTool = "trueup-ci";
async function onGitlab(looked, options, run) {
  const project = await toolProject(looked.top, options, run);
  return {
    files: gitlabFiles(looked.repository, project).map(({ path: path3, text }) => ({
      path: `${folderOfTool}/${path3}`,
      text,
      does: gitlabDoes[path3]
    })),
    steps: gitlabSteps(looked.repository, looked, { project, folder: folderOfTool, version })
  };
}
function ciText({ files, kept, steps }) {
  const width = Math.max(...[...files, ...kept].map(({ path: path3 }) => path3.length));
  const part = (title, some) => some.length === 0 ? [] : [title, ...some.map(({ path: path3, does }) => `  ${path3.padEnd(width)}  ${does}`), ""];
  return [
    ...part("Wrote:", files),
    ...part("Already up to date:", kept),
    "Left to do:",
    ...steps.flatMap(([first = "", ...lines], at) => [
      `${at + 1}. ${cleanLine(first)}`,
      ...lines.map((line) => `   ${cleanLine(line)}`)
    ])
  ].join("\n");
}
async function toolProject(top, { toolProject: given }, { host }) {
  const origin = given === void 0 ? await originPath(top, host.env).catch(() => void 0) : void 0;
  const project = given ?? (origin?.includes("/") ? origin.replace(/[^/]*$/, "trueup-ci") : void 0);
  if (project === void 0)
    throw new Problems([
      problem(
        "init/tool-project",
        "git does not know the group of this project, so it is unclear where the tool belongs",
        {
          hint: "name the project for it: --tool-project acme/trueup-ci"
        }
      )
    ]);
  if (!/^\w[\w.-]*(\/\w[\w.-]*)+$/.test(project))
    throw new Problems([
      problem("init/tool-project", `${quoted(project)} is not a project path`, {
        hint: "use GROUP/PROJECT with letters, digits, `_`, `.` and `-`: --tool-project acme/trueup-ci"
      })
    ]);
  return project;
}

// src/cli/init.ts
var schema = join(home, "schema.json");
var sample = `${modeline(schema)}
stack: example

platform: { team: acme } # the slug of your team, or { personal: true }

variables:
  apex: { default: example.com }

projects:
  web:
    framework: nextjs
    env:
      LOG_LEVEL: info # in all targets, encrypted
      API_URL:
        - { value: "https://api.\${var.apex}", target: [production] }
        - { value: "https://staging.\${var.apex}", target: [preview, development] }
    domains:
      www.\${var.apex}: {}
      \${var.apex}: { redirect: "www.\${var.apex}", redirectStatusCode: 308 }
    firewall:
      firewallEnabled: true
      rules:
        - name: block-admin
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
          action: { mitigate: { action: deny } }

domains:
  \${var.apex}:
    records:
      - { type: A, name: "@", value: 76.76.21.21 }
      - { type: TXT, name: "@", value: "v=spf1 -all" }
`;
function initCommand(command, provider, run) {
  withColor(command).addOption(
    new Option("--ci <host>", "write CI workflows for this repository and list what is left to set up").choices(hosts).argParser(ciHost)
  ).option("--branch <name>", "with --ci github: the default branch, if git does not know it").option(
    "--tool-project <path>",
    "with --ci gitlab: the project that contains the tool, such as acme/trueup-ci"
  ).action(async (options) => {
    const terminal = terminalFor(run, options);
    const { ci, branch, toolProject: toolProject2 } = options;
    if (branch !== void 0 && ci !== "github" || toolProject2 !== void 0 && ci !== "gitlab")
      throw new Problems([strayOption]);
    if (ci) {
      const work = await ciWork(provider, options, run, sample);
      if (work.isFresh) await writeHome(provider, run);
      await writeFiles(work.files, work.top);
      return terminal.out(ciText(work));
    }
    await writeHome(provider, run);
    await writeSample(run);
    terminal.out(
      [
        `Wrote trueup.yaml, .trueup/.gitignore and ${schema} (for editors).`,
        "",
        "Try it without an account:",
        "  trueup apply --twin",
        "With an account, set your team in trueup.yaml and TRUEUP_TOKEN, then run:",
        "  trueup plan"
      ].join("\n")
    );
  });
}
async function writeHome(provider, run) {
  await makeHome(run.host);
  await writeSchema(provider, schema, run);
}
async function writeSample({ host }) {
  const [found] = await defaultsIn(host.cwd);
  if (found !== void 0) throw new Problems([alreadyThere(found)]);
  await writeFile(pathOn(host, "trueup.yaml"), sample, { flag: "wx" }).catch(
    (error) => {
      throw error.code === "EEXIST" ? new Problems([alreadyThere("trueup.yaml")]) : error;
    }
  );
}
var alreadyThere = (name) => problem("init/exists", `\`${name}\` already exists and was left unchanged`, {
  hint: `${join(home, ".gitignore")} and ${schema} are written; continue with \`trueup plan\``
});
var strayOption = problem(
  "init/ci-option",
  "--branch is for --ci github, and --tool-project for --ci gitlab",
  { hint: "on GitLab the pipeline knows the default branch; on GitHub the lockfile contains the tool" }
);
var hosts = ["github", "gitlab"];
function ciHost(given) {
  if (hosts.includes(given)) return given;
  const near = closest(given, hosts);
  throw new InvalidArgumentError(near ? `Did you mean ${near}?` : "It must be github or gitlab.");
}
return{initCommand:initCommand};})();exports.part_DPITLKXZ=part_DPITLKXZ;
