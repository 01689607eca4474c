// How a call went, told apart: found nothing, blocked, rate-limited, not understood, and the rest by their own names.

import { counted, h } from "./dom.js";
import { list, notice } from "./parts.js";

const KINDS = {
  blocked: [
    "warning",
    "Blocked",
    "The site or engine refuses automated readers. That says nothing about what it holds.",
  ],
  auth_required: ["warning", "A sign-in stands in the way", ""],
  rate_limited: ["warning", "Rate-limited", "Nothing was looked up; try again after the wait."],
  upstream_unavailable: [
    "bad",
    "No usable answer",
    "The answer was missing or not understood. That is not the same as finding nothing.",
  ],
  network: ["bad", "Could not be reached", ""],
  content_empty: ["warning", "Nothing readable there", "The page loaded and held no usable text."],
  not_found: ["plain", "Not there", ""],
  validation: ["plain", "Please look at what was entered", ""],
  config: ["plain", "Not set up", ""],
  browser_unavailable: ["warning", "A browser is needed", ""],
  session_not_found: ["plain", "No such session", "Sessions end some hours after their last use."],
  locked: ["plain", "Locked", ""],
};
const ACTIONS = {
  retry_after_delay: "Try again a little later.",
  try_different_provider: "Try another provider.",
  check_api_key: "Look at the key or setting.",
  report_bug: "If it stays so, please report it.",
};

export function failed(error) {
  const [tone, title, meaning] = KINDS[error.kind] || ["bad", "That did not work", ""];
  const wait = error.retryAfterSeconds ? `Wait about ${counted(error.retryAfterSeconds, "second")}.` : null;
  const next = [wait, ACTIONS[error.suggestedAction]].filter(Boolean).join(" ");
  return h(
    "div",
    { role: "alert", "data-outcome": error.kind || "failed" },
    notice(
      tone,
      title,
      h("p", { dir: "auto", class: "pre-line" }, error.sentence),
      meaning ? h("p", { class: "faint" }, meaning) : null,
      error.detail ? h("p", { class: "faint", dir: "auto" }, error.detail) : null,
      next ? h("p", {}, next) : null,
      error.alternatives?.length ? h("p", {}, "Others that could help: ", error.alternatives.join(", "), ".") : null,
    ),
  );
}

export function nothing(title, hints) {
  const actions = (hints?.suggestedActions || []).map((action) => action.detail || action.action);
  return h(
    "div",
    { "data-outcome": "nothing" },
    notice(
      "plain",
      title,
      hints?.epistemicWarning ? h("p", {}, hints.epistemicWarning) : null,
      hints?.providersAttempted?.length
        ? h("p", { class: "faint" }, "Asked: ", hints.providersAttempted.join(", "), ".")
        : null,
      actions.length ? list(actions) : null,
    ),
  );
}

// What was asked for and not done, and what else is worth knowing of an answer.
export function remarks(content) {
  const filters = content.filtersNotApplied || [];
  return [
    filters.length
      ? notice(
          "warning",
          "Not applied: ",
          h("span", {}, filters.join(", ")),
          h(
            "p",
            { class: "faint" },
            "No engine that answered could apply these filters; the results are not narrowed by them.",
          ),
        )
      : null,
    content.notes?.length ? notice("plain", "Notes", list(content.notes)) : null,
  ];
}
