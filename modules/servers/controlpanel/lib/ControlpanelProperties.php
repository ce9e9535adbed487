<?php

declare(strict_types=1);

/**
 * The service's username and password in the billing system.
 *
 * It makes both up itself and shows them to the customer, though they open nothing. What is true replaces them: the
 * client's name in the panel, and no password.
 */
final class ControlpanelProperties
{
    public static function overwrite(ControlpanelAction $call, string $clientName): void
    {
        try {
            $properties = self::properties($call->params->value('model'));
            if ($properties !== null) {
                call_user_func([$properties, 'save'], ['Username' => $clientName, 'Password' => '']);
            }
        } catch (\Throwable $thrown) {
            // The panel has done its part: a field of the billing system must not make that a failure.
            $call->explain($thrown);
        }
    }

    /**
     * @param mixed $model
     * @return object|null
     */
    private static function properties($model)
    {
        // The model answers for its properties by __get; asking a plain object for a missing one would warn.
        $readable = is_object($model)
            && (property_exists($model, 'serviceProperties') || method_exists($model, '__get'));
        $properties = $readable ? $model->serviceProperties : null;
        return is_object($properties) && is_callable([$properties, 'save']) ? $properties : null;
    }
}
