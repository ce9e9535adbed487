<?php

declare(strict_types=1);

/** What one call of the billing system needs, and the frame that turns every failure into a text. */
final class ControlpanelAction
{
    /** @var ControlpanelParams */
    public $params;

    /** @var string */
    private $action;

    private function __construct(string $action, ControlpanelParams $params)
    {
        $this->action = $action;
        $this->params = $params;
    }

    /**
     * Runs an action on a service.
     *
     * @param mixed $params
     * @param callable(self): void $work
     * @return string `success`, or what went wrong
     */
    public static function onService(string $action, $params, callable $work): string
    {
        return self::run($action, $params, static function (self $call) use ($work): void {
            $call->params->refuseAddon();
            $work($call);
        });
    }

    /**
     * @param mixed $params
     * @param callable(self): void $work
     * @return string `success`, or what went wrong
     */
    public static function run(string $action, $params, callable $work): string
    {
        $call = self::of($action, $params);
        try {
            $work($call);
            return 'success';
        } catch (\Throwable $thrown) {
            return $call->explain($thrown);
        }
    }

    /** @param mixed $params */
    public static function of(string $action, $params): self
    {
        return new self($action, new ControlpanelParams($params));
    }

    /** The client for this call. */
    public function client(?float $budgetSeconds = null): ControlpanelClient
    {
        $server = ControlpanelServer::fromParams($this->params);
        return new ControlpanelClient($server, new ControlpanelLog($this->action, $server->token), $budgetSeconds);
    }

    /** The service of this call. */
    public function service(?float $budgetSeconds = null): ControlpanelService
    {
        $reference = ControlpanelReference::ofService($this->params->id('serviceid'));
        return new ControlpanelService($this->client($budgetSeconds), $reference);
    }

    /** What goes to the administrator: never empty, never the word that means success, never the token. */
    public function explain(\Throwable $thrown): string
    {
        $token = trim($this->params->text('serverpassword'));
        $text = $thrown->getMessage();
        if (!$thrown instanceof ControlpanelFailure) {
            $text = 'The module failed: ' . ($text === '' ? get_class($thrown) : $text);
        }
        $text = ControlpanelText::message($token === '' ? $text : str_replace($token, '[token]', $text));
        (new ControlpanelLog($this->action, $token))->error($text);
        return $text === '' || $text === 'success' ? 'The module failed.' : $text;
    }
}
