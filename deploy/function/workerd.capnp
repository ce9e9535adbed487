# For a workerd of one's own: workerd serve workerd.capnp
# The secrets come from the environment of that process. TLS and the callers' addresses come from a
# proxy in front, which must set X-Panel-Peer on every request; its timer calls POST /cron/<name>.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "panel", worker = .panel),
    (name = "files", disk = (path = "assets")),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "panel")],
);

const panel :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-07-01",
  bindings = [
    (name = "ASSETS", service = "files"),
    (name = "PANEL_HOST", fromEnvironment = "PANEL_HOST"),
    (name = "PANEL_PORT", fromEnvironment = "PANEL_PORT"),
    (name = "PANEL_DB_URL", fromEnvironment = "PANEL_DB_URL"),
    (name = "PANEL_DB_TOKEN", fromEnvironment = "PANEL_DB_TOKEN"),
    (name = "PANEL_KEYS", fromEnvironment = "PANEL_KEYS"),
    (name = "PANEL_CRON_SECRET", fromEnvironment = "PANEL_CRON_SECRET"),
    (name = "PANEL_MAIL_URL", fromEnvironment = "PANEL_MAIL_URL"),
    (name = "PANEL_MAIL_TOKEN", fromEnvironment = "PANEL_MAIL_TOKEN"),
    (name = "PANEL_MAIL_FROM", fromEnvironment = "PANEL_MAIL_FROM"),
    (name = "PANEL_RESOLVER", fromEnvironment = "PANEL_RESOLVER"),
    (name = "PANEL_PEER_HEADER", text = "x-panel-peer"),
  ],
);
